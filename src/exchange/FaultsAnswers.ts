/**
 * The answers of a market that does not do what it should: whole answers that take the place of the real one.
 * Invariant: they are worded and shaped as markets of this family were seen to word and shape them.
 */
import { HttpServerResponse } from "effect/http"

import { type Operation } from "../domain/Operation.ts"
import { type FaultOf } from "./FaultsPlan.ts"
import { page } from "./pages/Page.ts"

type Response = HttpServerResponse.HttpServerResponse

const json = (body: unknown, status = 200): Response => HttpServerResponse.jsonUnsafe(body, { status })
const html = (text: string, status = 200): Response =>
  HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8" })

/** HTTP 429, the four bytes `null`, no Retry-After. */
export const rateLimited = json(null, 429)
export const nothing = json(null)
export const errorPage = html(page("Error", "<p>There was an error while processing your request.</p>"))
export const signInPage = html(
  page("Sign In", "<script>g_accountID = false;</script><p>Sign in to go on.</p>")
)
export const unauthorized = HttpServerResponse.empty({ status: 401 })
export const maintenance = html(
  page("Unavailable", "<p>The market is down for maintenance. Please try again later.</p>"),
  503
)

export const toLogin = (url: string): Response =>
  HttpServerResponse.redirect(`/login/home/?goto=${encodeURIComponent(url.replace(/^\//, ""))}`)
export const toLostAuth = (platformName: string): Response =>
  HttpServerResponse.redirect(`${platformName}mobile://lostauth`)

export const serverError = (status: 500 | 502 | 503): Response =>
  html(page("Error", "<p>Something went wrong on our side.</p>"), status)

const messages: Readonly<Record<number, string>> = {
  2: "There was a problem processing your request. Please try again.",
  8: "The request was not valid.",
  10: "The market is busy. Please try again later.",
  20: "The market is not available at the moment. Please try again later.",
  25: "You have reached a limit of the market.",
  29: "You already have an active buy order for this item.",
  40: "The order is being matched.",
  79: "An unexpected error has occurred.",
  84: "You have made too many requests recently. Please wait and try again."
}

/** `success` with a code as the operation words it; 16 comes without a message, because the market does not know either. */
export const coded = (operation: Operation, { code, message }: FaultOf<"code">): Response => {
  const text = message ?? messages[code]
  switch (operation) {
    case "cancel-buyorder":
      return json({ success: code, error: text ?? null })
    case "confirmations":
    case "confirmation-details":
    case "confirmation-op":
      return json({ success: false, message: `${text ?? "There was a problem."} (${code})` })
    default:
      return json(text === undefined ? { success: code } : { success: code, message: text })
  }
}

export const needAuth = json({ success: false, needauth: true })
