/**
 * What any operation may answer besides its own bodies: too fast, sent elsewhere, a wrong request, an HTML page, `null`.
 * Invariant: an endpoint declares these as errors, so that a market built on the contract fails with them by name.
 */
import { Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** HTTP 429, body `null` (interface, Errors 4). */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {}) {}
/** HTTP 302, e.g. to the login page when the session is gone (interface, Errors 3). */
export class Redirected extends Schema.TaggedError<Redirected>()("Redirected", { location: Schema.String }) {}
/** HTTP 400, body `[]`: a wrong form, or no session where one is needed. */
export class WrongRequest extends Schema.TaggedError<WrongRequest>()("WrongRequest", {}) {}
/** HTTP 503 with an HTML page: maintenance. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { page: Schema.String }) {}

const htmlType = "text/html; charset=utf-8"

/** A page where a page is due or where data was due. */
export const HtmlPage = Schema.String.pipe(HttpApiSchema.asText({ contentType: htmlType }))

const TooManyRequestsAnswer = Schema.Null.pipe(
  Schema.decodeTo(
    Schema.toType(TooManyRequests),
    SchemaTransformation.transform({ decode: () => new TooManyRequests(), encode: () => null })
  ),
  HttpApiSchema.status(429)
)

const WrongRequestAnswer = Schema.Tuple([]).pipe(
  Schema.decodeTo(
    Schema.toType(WrongRequest),
    SchemaTransformation.transform({ decode: () => new WrongRequest(), encode: (): readonly [] => [] })
  ),
  HttpApiSchema.status(400)
)

const RedirectedAnswer = Redirected.pipe(
  HttpApiSchema.encodeToWithHeaders(
    { body: HttpApiSchema.Empty(302), headers: { location: Schema.String } },
    {
      decode: ({ headers }) => new Redirected({ location: headers.location }),
      encode: ({ location }) => ({ body: undefined, headers: { location } })
    }
  )
)

const UnavailableAnswer = Schema.String.pipe(
  Schema.decodeTo(
    Schema.toType(Unavailable),
    SchemaTransformation.transform({
      decode: (page) => new Unavailable({ page }),
      encode: ({ page }) => page
    })
  ),
  HttpApiSchema.asText({ contentType: htmlType }),
  HttpApiSchema.status(503)
)

/** The errors that every endpoint declares. */
export const commonErrors = [
  TooManyRequestsAnswer,
  RedirectedAnswer,
  WrongRequestAnswer,
  UnavailableAnswer
] as const
