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
/** HTTP 304 without a body: what the caller has is still true. */
export class NotModified extends Schema.TaggedError<NotModified>()("NotModified", {}) {}
/** HTTP 400, body `[]`: a wrong form, or no session where one is needed. */
export class WrongRequest extends Schema.TaggedError<WrongRequest>()("WrongRequest", {}) {}
/** HTTP 401 without a body: the session is gone. */
export class NotLoggedOn extends Schema.TaggedError<NotLoggedOn>()("NotLoggedOn", {}) {}
/** HTTP 403 with an HTML page. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { page: Schema.String }) {}
/** HTTP 404 with an HTML page: no such item, page or action. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { page: Schema.String }) {}
/** HTTP 500 with an HTML page. */
export class ServerFault extends Schema.TaggedError<ServerFault>()("ServerFault", { page: Schema.String }) {}
/** HTTP 503 with an HTML page: maintenance. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { page: Schema.String }) {}

const htmlType = "text/html; charset=utf-8"

/** A page where a page is due or where data was due. */
export const HtmlPage = Schema.String.pipe(HttpApiSchema.asText({ contentType: htmlType })).annotate({
  description: "An HTML page."
})

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

const pageOf = <A extends { readonly page: string }>(
  status: number,
  type: Schema.Codec<A, A>,
  make: (page: string) => A
) =>
  Schema.String.pipe(
    Schema.decodeTo(type, SchemaTransformation.transform({ decode: make, encode: ({ page }: A) => page })),
    HttpApiSchema.asText({ contentType: htmlType }),
    HttpApiSchema.status(status)
  )

const NotModifiedAnswer = NotModified.pipe(
  HttpApiSchema.asNoContent({ decode: () => new NotModified() }),
  HttpApiSchema.status(304)
)
const NotLoggedOnAnswer = NotLoggedOn.pipe(
  HttpApiSchema.asNoContent({ decode: () => new NotLoggedOn() }),
  HttpApiSchema.status(401)
)
const ForbiddenAnswer = pageOf(403, Schema.toType(Forbidden), (page) => new Forbidden({ page }))
const NotFoundAnswer = pageOf(404, Schema.toType(NotFound), (page) => new NotFound({ page }))
const ServerFaultAnswer = pageOf(500, Schema.toType(ServerFault), (page) => new ServerFault({ page }))
const UnavailableAnswer = pageOf(503, Schema.toType(Unavailable), (page) => new Unavailable({ page }))

/** The errors that every endpoint declares. */
export const commonErrors = [
  TooManyRequestsAnswer,
  RedirectedAnswer,
  WrongRequestAnswer,
  NotLoggedOnAnswer,
  ForbiddenAnswer,
  NotFoundAnswer,
  ServerFaultAnswer,
  UnavailableAnswer
] as const

/** The errors of an endpoint that tells when its body did not change. */
export const conditionalErrors = [...commonErrors, NotModifiedAnswer] as const
