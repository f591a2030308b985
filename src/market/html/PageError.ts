/** Why a page has nothing to say: which part of it, and what was wrong there. Never a value of the page. */
import { Result, Schema } from "effect"

export class PageError extends Schema.TaggedError<PageError>()("PageError", {
  /** What was looked for: `g_rgAssets`, `renderContext`, `rows`. */
  part: Schema.String,
  problem: Schema.Literals(["TooLong", "TooDeep", "Missing", "NotJson", "Differs"]),
  detail: Schema.String
}) {
  override get message(): string {
    return `${this.part}: ${this.problem}${this.detail === "" ? "" : ` (${this.detail})`}`
  }
}

export type Read<A> = Result.Result<A, PageError>

export const pageError = (
  part: string,
  problem: PageError["problem"],
  detail = ""
): Result.Result<never, PageError> => Result.fail(new PageError({ part, problem, detail }))
