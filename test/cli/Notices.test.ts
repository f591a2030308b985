import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Fiber, Layer, Queue, Ref } from "effect"
import { TestClock } from "effect/testing"

import { watchDisk } from "../../src/cli/run/DiskWatch.ts"
import { noticeOf, tellEnd } from "../../src/cli/text/Notices.ts"
import type { Event } from "../../src/domain/Event.ts"
import { apply } from "../../src/domain/Fold.ts"
import type { IntentId, ListingId, Millis } from "../../src/domain/Ids.ts"
import { money } from "../../src/domain/Money.ts"
import { breaker, defaultCrashLoopRules } from "../../src/engine/CrashLoop.ts"
import { Stalled } from "../../src/engine/Progress.ts"
import { type Notice, Notifier } from "../../src/notify/Notifier.ts"
import { at, glove, openBid, order, placeBid, sentBid, stateAfter } from "../engine/Given.ts"

const bid = placeBid(842, 5)
const paused = (who: string, why: string): Event => ({ _tag: "Paused", at: at(1), who, why })
const orphans = (...listings: ReadonlyArray<string>): Event => ({
  _tag: "OrphansSeen",
  at: at(1),
  confirmations: [],
  listings: listings as ReadonlyArray<ListingId>
})
const crashes = Array.from({ length: 5 }, (_, index) => ({
  seq: index,
  event: { _tag: "RunStarted", at: at(index), mode: "live" } as const
}))

/** What an operator has to know, and how urgently it is told. */
const mustKnow: ReadonlyArray<
  readonly [what: string, event: Event | undefined, urgency: string, text: RegExp]
> = [
  ["a ban", { _tag: "Banned", at: at(1), until: at(900) }, "critical", /refuses our requests.*until/u],
  ["its end", { _tag: "BanLifted", at: at(1) }, "info", /takes our requests again/u],
  [
    "an operation out of service",
    { _tag: "OperationDrifted", at: at(1), operation: "orderbook", path: "x" },
    "critical",
    /orderbook is out of service/u
  ],
  [
    "its return",
    { _tag: "OperationRecovered", at: at(1), operation: "orderbook" },
    "info",
    /understood again/u
  ],
  [
    "a lost session",
    { _tag: "SessionExpired", at: at(1), signal: "HTTP 401" },
    "critical",
    /session lost \(HTTP 401\)/u
  ],
  ["a new session", { _tag: "SessionRenewed", at: at(1) }, "info", /in force again/u],
  ["a session that ends", { _tag: "SessionExpiring", at: at(1), expiresAt: at(60) }, "warning", /renew it/u],
  [
    "a quarantine with its item",
    { _tag: "Quarantined", at: at(1), intent: bid.id, tries: 60 },
    "warning",
    /5 × 730\/Glove Case at .*haggle release/u
  ],
  ["what was given up", { _tag: "Reappeared", at: at(1), intent: bid.id }, "warning", /ours again/u],
  [
    "a difference to the wallet",
    { _tag: "LedgerDiffers", at: at(1), ledger: money(1), wallet: money(2) },
    "warning",
    /the account is paused/u
  ],
  ["its end", { _tag: "LedgerAgrees", at: at(1) }, "info", /agree again/u],
  [
    "a crash loop",
    breaker(crashes, at(9), defaultCrashLoopRules)[0],
    "critical",
    /5 crashes within 10 minutes/u
  ],
  ["a pause", paused("operator", "lunch"), "warning", /paused by operator: lunch/u],
  ["a halt", { _tag: "Halted", at: at(1), why: "x" }, "critical", /halted/u],
  [
    "a halted strategy",
    { _tag: "StrategyHalted", at: at(1), strategy: "maker", why: "drawdown" },
    "warning",
    /maker is halted: drawdown/u
  ],
  ["a foreign order", { _tag: "ForeignBidSeen", at: at(1), order: order(900, 1, 1) }, "info", /left alone/u],
  ["an orphan", orphans("L1"), "warning", /1 staged listings/u],
  [
    "a refused file",
    { _tag: "StrategyRejected", at: at(1), file: "a.yaml", message: "a.yaml:3" },
    "warning",
    /a\.yaml rejected/u
  ],
  [
    "another currency",
    { _tag: "CurrencyDiffers", at: at(1), item: glove, book: 3, wallet: 1 },
    "critical",
    /trading stops/u
  ]
]

/** Runs with a notifier whose notices come back. */
const told = Effect.fnUntraced(function* (work: Effect.Effect<unknown, never, Notifier>, count: number) {
  const notices = yield* Queue.unbounded<Notice>()
  const notifier = Layer.succeed(Notifier, {
    notify: (notice) => Queue.offer(notices, notice),
    flushed: Effect.void
  })
  yield* Effect.forkScoped(Effect.provide(work, notifier))
  return yield* Queue.takeN(notices, count)
})

describe("A person is told", () => {
  it("of everything that wants one, with what it is about", () => {
    const before = stateAfter(...sentBid(bid), {
      _tag: "OutcomeUnknown",
      at: at(0),
      intent: bid.id,
      reason: "TimedOut",
      detail: ""
    })
    for (const [what, event, urgency, text] of mustKnow) {
      if (event === undefined) throw new Error(what)
      const notice = noticeOf(event, apply(before, event))
      assert.strictEqual(notice?.urgency, urgency, what)
      assert.match(notice?.text ?? "", text, what)
    }
    assert.strictEqual(noticeOf(orphans(), before)?.urgency, "info")
  })

  it("of nothing that is a day's work", () => {
    const state = stateAfter(...openBid(bid))
    const sent: Event = { _tag: "Sent", at: at(1), intent: "i9" as IntentId }
    const found = {
      _tag: "UniverseFound",
      at: at(1),
      search: "s",
      about: "cases",
      joined: [],
      left: []
    } as const
    assert.isUndefined(noticeOf(sent, state))
    assert.isUndefined(noticeOf({ ...found, problems: [] }, state))
    assert.strictEqual(noticeOf({ ...found, problems: ["no such tag"] }, state)?.urgency, "warning")
  })

  it.effect("of the end of a daemon that fails, but for one that its own event has told", () =>
    Effect.gen(function* () {
      const stalled = new Stalled({ loop: "beat", since: 0 as Millis, silentMillis: 1 })
      const ends = Effect.gen(function* () {
        for (const cause of [
          Cause.interrupt(1),
          Cause.fail(stalled),
          Cause.die(new Error("the disk is gone"))
        ])
          yield* tellEnd(cause)
      })
      const [notice] = yield* told(ends, 1)
      assert.deepInclude(notice, { urgency: "critical", text: "the disk is gone" })
    }).pipe(Effect.scoped)
  )

  it.effect("once when a disk fills and once when it has room again", () =>
    Effect.gen(function* () {
      const left = yield* Ref.make([2_000, 400, 300, 600, 400, 1_200, 1_200])
      const free = () =>
        Ref.modify(left, ([first, ...rest]) => [first === undefined ? undefined : first * 2 ** 20, rest])
      const fiber = yield* Effect.forkScoped(told(watchDisk(["/state"], free), 2), { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      const notices = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        notices.map(({ kind, text }) => [kind, text.split(" are left")[0]]),
        [
          ["DiskLow", "400 MB"],
          ["DiskEnough", "1200 MB"]
        ]
      )
    }).pipe(Effect.scoped)
  )
})
