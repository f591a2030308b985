/**
 * Closures of conditions made of other conditions. Invariant: Kleene's logic: one value that decides does so, else one Unknown does.
 */
import type { Scope } from "./Scope.ts"
import { maybe, no, type Tri, yes } from "./Value.ts"

export type Test = (scope: Scope) => Tri

/** `&&` (deciding is `no`) and `||` (deciding is `yes`) of any count; stops at the first that decides. */
export const joined = (deciding: Tri, tests: ReadonlyArray<Test>): Test => {
  const other = deciding === yes ? no : yes
  const [first, second, third, ...rest] = tests
  if (first === undefined) return () => other
  if (second === undefined) return first
  if (third === undefined)
    return (scope) => {
      const a = first(scope)
      if (a === deciding) return deciding
      const b = second(scope)
      return b === deciding ? deciding : a === maybe ? maybe : b
    }
  if (rest.length > 0) return joined(deciding, [first, second, joined(deciding, [third, ...rest])])
  return (scope) => {
    const a = first(scope)
    if (a === deciding) return deciding
    const b = second(scope)
    if (b === deciding) return deciding
    const c = third(scope)
    return c === deciding ? deciding : a === maybe || b === maybe ? maybe : c
  }
}

export const inverted =
  (of: Test): Test =>
  (scope) => {
    const value = of(scope)
    return value === maybe ? maybe : value === yes ? no : yes
  }

/** The branch that the condition chooses; `none` where it is Unknown. */
export const chosen =
  <A>(condition: Test, left: (scope: Scope) => A, right: (scope: Scope) => A, none: A) =>
  (scope: Scope): A => {
    const value = condition(scope)
    return value === maybe ? none : value === yes ? left(scope) : right(scope)
  }

/** Equality of two conditions or two texts as they are computed; `unsure` is their Unknown. */
export const same =
  <A>(left: (scope: Scope) => A, right: (scope: Scope) => A, unsure: A, wanted: boolean): Test =>
  (scope) => {
    const a = left(scope)
    if (a === unsure) return maybe
    const b = right(scope)
    if (b === unsure) return maybe
    return (a === b) === wanted ? yes : no
  }

/** Whether the item is among the members; Unknown where it could be. */
export const among =
  <A>(
    item: (scope: Scope) => A,
    members: ReadonlyArray<(scope: Scope) => A>,
    equal: (item: A, member: A) => Tri
  ): Test =>
  (scope) => {
    const wanted = item(scope)
    let answer: Tri = no
    for (const member of members) {
      const found = equal(wanted, member(scope))
      if (found === yes) return yes
      if (found === maybe) answer = maybe
    }
    return answer
  }
