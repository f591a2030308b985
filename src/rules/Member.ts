/**
 * One fact of the vocabulary: its type, how it is read from a scope, and why it is missing when it is.
 * Invariant: what does not exist at the moment (an empty side, no order, no sale) is NaN or undefined and has a reason, never zero.
 */
import type { PolledFact } from "../domain/Facts.ts"
import type { Scope } from "./Scope.ts"
import type { Raw, Type } from "./Value.ts"

export interface Member {
  /** The types of its arguments; undefined for a fact that takes none. */
  readonly takes: ReadonlyArray<Type> | undefined
  readonly type: Type
  /** A poll that it needs beside that of its group. */
  readonly polled: PolledFact | undefined
  // whoever calls has checked the arguments by `takes`
  readonly read: (scope: Scope, a: never, b: never) => Raw
  readonly none: (scope: Scope, a: never, b: never) => string
}

export interface Namespace {
  /** The poll that its facts need; undefined for what is always known. */
  readonly polled: PolledFact | undefined
  readonly members: Readonly<Record<string, Member>>
}

export type NumberType = Exclude<Type, "bool" | "string" | "error">

type Why<A> = string | ((scope: Scope, a: A, b: A) => string)

interface Options<A = never> {
  readonly none?: Why<A>
  readonly polled?: PolledFact
}

const member = <A>(
  takes: Member["takes"],
  type: Type,
  read: (scope: Scope, a: A, b: A) => Raw,
  { none = "it is not known", polled }: Options<A>
): Member => ({ takes, type, polled, read, none: typeof none === "string" ? () => none : none })

/** A number, an amount or a time; NaN when it is missing. */
export const number = (type: NumberType, read: (scope: Scope) => number, options: Options = {}): Member =>
  member(undefined, type, read, options)

export const text = (read: (scope: Scope) => string | undefined, options: Options = {}): Member =>
  member(undefined, "string", read, options)

export const condition = (read: (scope: Scope) => boolean | undefined, options: Options = {}): Member =>
  member(undefined, "bool", read, options)

/** A number that takes one or two numbers. */
export const numberOf = (
  type: NumberType,
  takes: ReadonlyArray<NumberType>,
  read: (scope: Scope, a: number, b: number) => number,
  options: Options<number> = {}
): Member => member(takes, type, read, options)

/** Anything that takes one or two texts. */
export const ofTexts = (
  type: Exclude<Type, "error">,
  count: 1 | 2,
  read: (scope: Scope, a: string, b: string) => Raw,
  options: Options<string> = {}
): Member =>
  member(
    Array.from({ length: count }, () => "string" as const),
    type,
    read,
    options
  )
