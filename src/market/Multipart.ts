/**
 * Writes forms of plain text fields as multipart/form-data bytes. The boundary is a hash of the content, so the same form is the same
 * bytes: an embedded market needs no stream to read it and a run repeats exactly.
 */
import { HttpBody } from "effect/http"

import { meaningHash } from "../domain/Ids.ts"

export const multipartBody = (form: FormData): HttpBody.HttpBody => {
  const fields = [...form.entries()].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : []
  )
  const boundary = `----form${meaningHash(...fields.flat())}`
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`
  )
  return HttpBody.text(`${parts.join("")}--${boundary}--\r\n`, `multipart/form-data; boundary=${boundary}`)
}

const escaped = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")

export const formData = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
