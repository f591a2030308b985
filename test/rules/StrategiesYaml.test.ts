import { NodeServices } from "@effect/platform-node"
import { assert, layer as suite } from "@effect/vitest"
import { Cause, Context, Effect, Exit, FileSystem, Layer, Path, Queue, Stream } from "effect"

import { Strategies, type StrategyChange } from "../../src/rules/Strategies.ts"
import { checkFiles, layer, layerOf } from "../../src/rules/StrategiesYaml.ts"
import type { FileEvent } from "../../src/rules/Watch.ts"
import { facts, headOf, withRules } from "./support.ts"

const target = { currency: 1 } as const
const rules = (price: string): string =>
  `rules:\n  - { id: enter, when: true, do: bid, at: ${price}, qty: 1 }\n`
const good = (price: string, rest = ""): string => `${headOf()}${rest}${rules(price)}`

/** A temporary directory with these files. */
const directoryWith = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const directory = yield* fs.makeTempDirectoryScoped()
  for (const [name, text] of Object.entries(files))
    yield* fs.writeFileString(path.join(directory, name), text)
  const write = (name: string, text: string) => fs.writeFileString(path.join(directory, name), text)
  const remove = (name: string) => fs.remove(path.join(directory, name))
  return { directory, fs, path, remove, write }
})

/** The service of a layer that lives as long as the test. */
const built = <E, R>(of: Layer.Layer<Strategies, E, R>) =>
  Effect.map(Layer.build(of), (context) => Context.get(context, Strategies))

/** A queue of the changes, subscribed before anything is edited. */
const changesOf = Effect.fnUntraced(function* (strategies: Strategies["Service"]) {
  const queue = yield* Queue.unbounded<StrategyChange>()
  yield* Effect.forkScoped(
    Stream.runForEach(strategies.changes, (change) => Queue.offer(queue, change)),
    {
      startImmediately: true
    }
  )
  return { queue }
})

const pricesIn = Effect.fnUntraced(function* (strategies: Strategies["Service"]) {
  const { strategies: loaded } = yield* strategies.current
  return loaded.map(({ evaluate, name }) => {
    const { bid } = evaluate(facts(), new Map()).decision
    return `${name} ${bid?._tag === "Bid" ? bid.price : "-"}`
  })
})

suite(NodeServices.layer)("strategies from files", (it) => {
  it.effect("are loaded from every YAML file of the directory, higher priority first", () =>
    Effect.gen(function* () {
      const { directory } = yield* directoryWith({
        "b.yaml": good("1.00"),
        "a.yml": good("2.00"),
        "c.yaml": good("3.00", "priority: 5\n"),
        "readme.md": "not a strategy",
        ".hidden.yaml": "no: strategy"
      })
      const prices = yield* Effect.flatMap(built(layer({ directory, target, watch: false })), pricesIn)
      assert.deepStrictEqual(prices, ["c 300", "a 200", "b 100"])
    })
  )

  it.effect("fail together with every message when one of them is broken at the start", () =>
    Effect.gen(function* () {
      const { directory } = yield* directoryWith({
        "a.yaml": good("1.00"),
        "b.yaml": good("book.bidd"),
        "c.yaml": good("0.12 + book.bid"),
        "d.yaml": good("1.00", "name: a\n")
      })
      const error = yield* Effect.flip(built(layer({ directory, target, watch: false })))
      assert.strictEqual(error._tag, "StrategiesError")
      assert.deepStrictEqual(
        error.errors.map(({ code, line }) => [code, line]),
        [
          ["unknown-name", 5],
          ["type", 5],
          ["doubled-name", 4]
        ]
      )
      assert.include(error.message, "b.yaml:5:48: unknown fact `book.bidd`")
      assert.include(error.message, "did you mean `book.bid`?")
      assert.include(error.message, "the strategy `a` is already defined in")
    })
  )

  it.effect("tell when their files are watched no more", () =>
    Effect.gen(function* () {
      const { directory } = yield* directoryWith({ "a.yaml": good("1.00") })
      const events = yield* Queue.unbounded<FileEvent>()
      const strategies = yield* built(layer({ directory, target, events: Effect.succeed(events) }))
      yield* Queue.failCause(events as never, Cause.die(new Error("no more inotify")) as never)
      const exit = yield* Effect.exit(strategies.failed)
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "no more inotify")
    })
  )

  it.effect("fail with the directory's name when it is not there", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(built(layer({ directory: "/nowhere/strategies", target })))
      assert.strictEqual(error.message, "/nowhere/strategies does not exist")
    })
  )

  it.effect(
    "follow edits, keep the last good revision of a broken file, and notice new and deleted ones",
    () =>
      Effect.gen(function* () {
        const { directory, remove, write } = yield* directoryWith({
          "a.yaml": good("1.00"),
          "b.yaml": good("2.00")
        })
        const strategies = yield* built(layer({ directory, target }))
        const { queue } = yield* changesOf(strategies)
        const [before] = (yield* strategies.current).strategies

        yield* write("a.yaml", good("1.50"))
        const loaded = yield* Queue.take(queue)
        assert.deepInclude(loaded, { _tag: "Loaded", previous: before?.revision })
        assert.deepStrictEqual(yield* pricesIn(strategies), ["a 150", "b 200"])

        yield* write("a.yaml", good("book.bidd"))
        const rejected = yield* Queue.take(queue)
        assert.strictEqual(rejected._tag, "Rejected")
        if (rejected._tag === "Rejected" && loaded._tag === "Loaded") {
          assert.strictEqual(rejected.kept, loaded.strategy.revision)
          assert.include(rejected.message, "a.yaml:5:48: unknown fact `book.bidd`")
          assert.include(rejected.message, "^^^^")
        }
        assert.deepStrictEqual(yield* pricesIn(strategies), ["a 150", "b 200"])

        yield* write("a.yaml", good("1.50"))
        assert.strictEqual((yield* Queue.take(queue))._tag, "Loaded")

        yield* write("c.yaml", good("3.00"))
        assert.deepInclude(yield* Queue.take(queue), { _tag: "Loaded", previous: undefined })
        assert.deepStrictEqual(yield* pricesIn(strategies), ["a 150", "b 200", "c 300"])

        yield* remove("b.yaml")
        assert.deepInclude(yield* Queue.take(queue), { _tag: "Removed", name: "b" })
        assert.deepStrictEqual(yield* pricesIn(strategies), ["a 150", "c 300"])

        yield* write("c.yaml", good("3.00", "name: other\n"))
        assert.deepInclude(yield* Queue.take(queue), { _tag: "Removed", name: "c" })
        assert.strictEqual((yield* Queue.take(queue))._tag, "Loaded")
        assert.deepStrictEqual(yield* pricesIn(strategies), ["a 150", "other 300"])
      })
  )

  it.effect("take an editor's save by replacement as one change", () =>
    Effect.gen(function* () {
      const { directory, fs, path } = yield* directoryWith({ "a.yaml": good("1.00") })
      const strategies = yield* built(layer({ directory, target }))
      const { queue } = yield* changesOf(strategies)
      yield* fs.writeFileString(path.join(directory, "a.yaml.tmp"), good("4.00"))
      yield* fs.rename(path.join(directory, "a.yaml.tmp"), path.join(directory, "a.yaml"))
      assert.strictEqual((yield* Queue.take(queue))._tag, "Loaded")
      assert.deepStrictEqual(yield* pricesIn(strategies), ["a 400"])
    })
  )
})

suite(NodeServices.layer)("files that are moved about", (it) => {
  it.effect("keep their strategy in force under a new file name", () =>
    Effect.gen(function* () {
      const { directory, fs, path } = yield* directoryWith({ "a.yaml": good("1.00", "name: one\n") })
      const strategies = yield* built(layer({ directory, target }))
      const { queue } = yield* changesOf(strategies)
      const [before] = (yield* strategies.current).strategies
      yield* fs.rename(path.join(directory, "a.yaml"), path.join(directory, "b.yaml"))
      const change = yield* Queue.take(queue)
      assert.deepInclude(change, { _tag: "Loaded", previous: before?.revision })
      const [after] = (yield* strategies.current).strategies
      assert.strictEqual(path.basename(after?.file ?? ""), "b.yaml")
    })
  )

  it.effect(
    "are followed through symbolic links that are turned, and through a folder that goes and comes back",
    () =>
      Effect.gen(function* () {
        const [old, newer, away] = yield* Effect.all([
          directoryWith({ "a.yaml": good("1.00") }),
          directoryWith({ "a.yaml": good("2.00") }),
          directoryWith({ "a.yaml": good("1.00"), "b.yaml": good("5.00") })
        ])
        const { fs, path } = old
        const link = path.join(away.directory, "..", `${path.basename(away.directory)}-link`)
        yield* Effect.acquireRelease(fs.symlink(old.directory, link), () => Effect.orDie(fs.remove(link)))
        const turned = yield* built(layer({ directory: link, target }))
        const moved = yield* built(layer({ directory: away.directory, target }))
        const [links, moves] = [yield* changesOf(turned), yield* changesOf(moved)]

        yield* fs.symlink(newer.directory, `${link}.new`)
        yield* fs.rename(`${link}.new`, link)
        yield* fs.rename(away.directory, `${away.directory}.away`)
        assert.deepInclude(yield* Queue.take(moves.queue), { _tag: "Rejected", file: away.directory })
        assert.deepStrictEqual(yield* pricesIn(moved), ["a 100", "b 500"])

        yield* fs.rename(`${away.directory}.away`, away.directory)
        yield* away.remove("b.yaml")
        assert.deepInclude(yield* Queue.take(moves.queue), { _tag: "Removed", name: "b" })
        assert.deepInclude(yield* Queue.take(moves.queue), { _tag: "Mended", file: away.directory })
        yield* away.write("a.yaml", good("1.50"))
        assert.strictEqual((yield* Queue.take(moves.queue))._tag, "Loaded")
        assert.deepStrictEqual(yield* pricesIn(moved), ["a 150"])

        assert.strictEqual((yield* Queue.take(links.queue))._tag, "Loaded")
        assert.deepStrictEqual(yield* pricesIn(turned), ["a 200"])
      })
  )
})

suite(NodeServices.layer)("checking files", (it) => {
  it.effect("gives the good strategies and every error of the others", () =>
    Effect.gen(function* () {
      const { directory, path } = yield* directoryWith({
        "a.yaml": good("1.00"),
        "b.yaml": good("book.bidd")
      })
      const all = yield* checkFiles([directory], target)
      assert.deepStrictEqual(
        all.strategies.map(({ name }) => name),
        ["a"]
      )
      assert.deepStrictEqual(
        all.errors.map(({ code }) => code),
        ["unknown-name"]
      )
      const one = yield* checkFiles([path.join(directory, "a.yaml")], target)
      assert.deepStrictEqual([one.strategies.length, one.errors.length], [1, 0])
      const missing = yield* Effect.flip(checkFiles([path.join(directory, "z.yaml")], target))
      assert.include(missing.message, "z.yaml does not exist")
    })
  )
})

suite(NodeServices.layer)("a fixed set", (it) => {
  it.effect("is what it was given", () =>
    Effect.gen(function* () {
      const strategy = withRules("  - { id: a, when: true, do: hold }\n")
      const { current } = yield* built(layerOf([strategy]))
      assert.deepStrictEqual((yield* current).strategies, [strategy])
    })
  )
})
