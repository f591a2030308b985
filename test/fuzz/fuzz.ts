/**
 * `npm run fuzz -- [--cases N] [--seed S] [--json]`: hostile answers through everything that reads answers.
 * A worker runs the cases, this thread watches: a case that takes longer than `hangMillis` is a hang; the worker is then replaced and goes
 * on behind it. Exit code 1 when anything was found.
 */
import process from "node:process"
import { clearInterval, setInterval } from "node:timers"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

import { type Found, makeFuzz } from "./Run.ts"

const hangMillis = 10_000
/** More findings of a kind say nothing new. */
const mostFindings = 50

interface Work {
  readonly seed: number
  readonly from: number
  readonly cases: number
  readonly progress: SharedArrayBuffer
}

type Message = { readonly found: ReadonlyArray<Found> } | { readonly done: true }

const work = async ({ cases, from, progress, seed }: Work): Promise<void> => {
  const fuzz = await makeFuzz(seed)
  const at = new Int32Array(progress)
  for (let index = from; index < cases; index += 1) {
    Atomics.store(at, 0, index)
    const found = await fuzz.run(index)
    if (found.length > 0) parentPort?.postMessage({ found } satisfies Message, [])
  }
  parentPort?.postMessage({ done: true } satisfies Message, [])
}

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? otherwise : Number(process.argv[at + 1])
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} needs a whole number`)
  return value
}

interface Hang {
  readonly case: number
  readonly operation: string
  readonly body: string
}

const watch = async (): Promise<void> => {
  const [cases, seed, from] = [option("cases", 100_000), option("seed", 1), option("from", 0)]
  const progress = new SharedArrayBuffer(4)
  const at = new Int32Array(progress)
  const found: Array<Found> = []
  const hung: Array<number> = []
  let next = from
  while (next < cases) next = await round({ seed, from: next, cases, progress }, at, found, hung)
  const fuzz = await makeFuzz(seed)
  const hangs = hung.map((index): Hang => {
    const { operation, text } = fuzz.caseOf(index)
    return { case: index, operation, body: text.slice(0, 300) }
  })
  const of = (kind: Found["kind"]) => found.filter((one) => one.kind === kind).slice(0, mostFindings)
  const report = { cases: cases - from, crashes: of("crash"), hangs, wrongSuccess: of("wrongSuccess") }
  process.stdout.write(
    process.argv.includes("--json")
      ? `${JSON.stringify(report)}\n`
      : `${report.cases} cases: ${report.crashes.length} crashes, ${hangs.length} hangs, ${report.wrongSuccess.length} wrong successes\n${[...found, ...hangs].map((one) => `${JSON.stringify(one)}\n`).join("")}`
  )
  process.exitCode = found.length + hangs.length > 0 ? 1 : 0
}

/** Runs until the end or the next hang; answers with the case to go on with. */
const round = (data: Work, at: Int32Array, found: Array<Found>, hung: Array<number>): Promise<number> =>
  new Promise((resolve, reject) => {
    Atomics.store(at, 0, data.from)
    const worker = new Worker(new URL(import.meta.url), { workerData: data })
    let [last, since] = [-1, performance.now()]
    const end = (next: number) => {
      clearInterval(timer)
      worker.terminate().then(() => resolve(next), reject)
    }
    const timer = setInterval(() => {
      const index = Atomics.load(at, 0)
      if (index !== last) [last, since] = [index, performance.now()]
      else if (performance.now() - since > hangMillis) {
        hung.push(index)
        end(index + 1)
      }
    }, 500)
    worker.on("message", (message: Message) => {
      if ("done" in message) end(data.cases)
      else found.push(...message.found)
    })
    worker.on("error", (error) => {
      const index = Atomics.load(at, 0)
      found.push({
        kind: "crash",
        detail: String(error),
        case: index,
        operation: "home",
        status: 0,
        body: ""
      })
      end(index + 1)
    })
  })

if (isMainThread) await watch()
else void work(workerData as Work)
