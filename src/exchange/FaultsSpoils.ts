/**
 * Faults that take the place of a whole answer: which answer, and whether the market does first what was asked.
 * Invariant: an answer of undefined is a lost one; the log tells the effect of each by its detail.
 */
import { type HttpServerResponse } from "effect/http"

import { type Operation } from "../domain/Operation.ts"
import { type Play } from "./Faults.ts"
import * as Answers from "./FaultsAnswers.ts"
import { type FaultOf } from "./FaultsPlan.ts"

interface Spoilt {
  readonly effect: "none" | "done"
  readonly answer: HttpServerResponse.HttpServerResponse | undefined
  readonly detail: string
}

interface Asked {
  readonly operation: Operation
  readonly url: string
  readonly platformName: string
}

type Answer = Spoilt["answer"]

const instead = (answer: Answer, detail: string): Spoilt => ({ effect: "none", answer, detail })
const either = (
  { effect = "none" }: { readonly effect?: "none" | "done" },
  answer: Answer,
  what: string
): Spoilt => ({
  effect,
  answer,
  detail: effect === "done" ? `${what} after the effect` : what
})

/** What the rule answers instead, undefined when it is of another kind. */
export const spoiltBy = ({ rule }: Play, asked: Asked): Spoilt | undefined => {
  switch (rule.kind) {
    case "rate-limited":
      return instead(Answers.rateLimited, "HTTP 429 with null")
    case "null":
      return either(rule, Answers.nothing, "null")
    case "html":
      return either(rule, Answers.errorPage, "a page instead of data")
    case "login":
      return instead(Answers.toLogin(asked.url), "HTTP 302 to the login")
    case "server-error":
      return either(rule, Answers.serverError(rule.status ?? 503), `HTTP ${rule.status ?? 503}`)
    case "maintenance":
      return instead(Answers.maintenance, "HTTP 503, maintenance")
    case "code":
      return either(rule, Answers.coded(asked.operation, rule), `success ${rule.code}`)
    case "reset":
      return instead(undefined, "the connection was reset before the effect")
    case "lost-answer":
      return { effect: "done", answer: undefined, detail: "the answer was lost after the effect" }
    case "session":
      return lostSession(rule, asked)
    case "confirmations":
      return rule.how === "needauth" ? instead(Answers.needAuth, "needauth") : undefined
    default:
      return undefined
  }
}

/** Signals of a lost session that take the place of every answer; the others let the caller through as nobody. */
const lostSession = ({ signal }: FaultOf<"session">, { platformName, url }: Asked): Spoilt | undefined => {
  switch (signal) {
    case "redirect":
      return instead(Answers.toLogin(url), "the session is gone: HTTP 302 to the login")
    case "lost-auth":
      return instead(Answers.toLostAuth(platformName), "the session is gone: HTTP 302 to lostauth")
    case "sign-in-page":
      return instead(Answers.signInPage, "the session is gone: the sign-in page")
    case "unauthorized":
      return instead(Answers.unauthorized, "the session is gone: HTTP 401")
    default:
      return undefined
  }
}
