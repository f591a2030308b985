/**
 * A web form as the bytes a socket would carry. Invariant: the same form gives the same bytes, at once: encoding it through a web
 * Response would wait for a stream, and virtual time would run meanwhile.
 */
import { HttpClientRequest } from "effect/http"

import { meaningHash } from "../domain/Ids.ts"

const escaped = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")

/** The request with its FormData body, text fields only, written out as multipart/form-data; other requests as they are. */
export const withFormBytes = (
  request: HttpClientRequest.HttpClientRequest
): HttpClientRequest.HttpClientRequest => {
  if (request.body._tag !== "FormData") return request
  const fields = [...request.body.formData.entries()].flatMap(([name, value]) =>
    typeof value === "string" ? [{ name, value }] : []
  )
  const boundary = `----fields${meaningHash(...fields.flatMap(({ name, value }) => [name, value]))}`
  const parts = fields.map(
    ({ name, value }) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`
  )
  const body = `${parts.join("")}--${boundary}--\r\n`
  return HttpClientRequest.bodyText(request, body, `multipart/form-data; boundary=${boundary}`)
}
