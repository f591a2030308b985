/**
 * The files of one directory and what became of each: pure state, changed by one file's new text at a time.
 * Invariants: 1. a broken text keeps the file's last good strategy. 2. two files never carry the same name. 3. the same text twice
 * changes nothing. 4. a file that was refused only for its name is taken as soon as the name is free.
 */
import { Result } from "effect"

import { compileStrategy, revisionOf } from "./Compile.ts"
import { renderErrors, type SourceError } from "./Source.ts"
import { sourceError } from "./SourceError.ts"
import type { CompiledStrategy, StrategyChange, StrategySet, Target } from "./Strategies.ts"

interface FileState {
  /** Revision of the last text that was read, good or bad. */
  readonly seen: string
  readonly good: CompiledStrategy | undefined
  /** Whether the last text was refused; the text itself when only its name was in the way. */
  readonly refused: false | { readonly text: string | undefined }
}

/** By path. */
export type StrategyFiles = ReadonlyMap<string, FileState>

export interface Step {
  readonly files: StrategyFiles
  readonly changes: ReadonlyArray<StrategyChange>
  /** Why the text was refused; empty when it was taken. */
  readonly errors: ReadonlyArray<SourceError>
}

const byFile = (a: CompiledStrategy, b: CompiledStrategy): number =>
  a.file < b.file ? -1 : a.file > b.file ? 1 : 0

/** Strategies in order of precedence: higher priority first, then by file name. */
export const setOf = (files: StrategyFiles): StrategySet => ({
  strategies: [...files.values()]
    .flatMap(({ good }) => good ?? [])
    .toSorted((a, b) => b.priority - a.priority || byFile(a, b))
})

const ownerOf = (files: StrategyFiles, name: string, but: string): string | undefined =>
  [...files].find(([path, { good }]) => path !== but && good?.name === name)?.[0]

const doubledName = (file: string, text: string, name: string, other: string): SourceError => {
  const start = Math.max(0, text.search(/^name:/m))
  const message = `the strategy \`${name}\` is already defined in ${other}`
  const at = { file, text, span: { start, end: start + 4 } }
  return sourceError(at, { code: "doubled-name", message, remedy: "give this file its own `name`" })
}

/**
 * The files after one of them has this text. `missing` are files that are not on the disk any more though nobody has said so yet: a name
 * that one of them has is free, and the strategy goes on under its new file.
 */
export const withText = (
  files: StrategyFiles,
  file: string,
  text: string,
  target: Target,
  missing: ReadonlySet<string> = new Set()
): Step => {
  const before = files.get(file)
  const seen = revisionOf(text)
  if (before?.seen === seen) return { files, changes: [], errors: [] }
  const compiled = compileStrategy(file, text, target)
  const good = Result.getOrUndefined(compiled)
  const owner = good === undefined ? undefined : ownerOf(files, good.name, file)
  const isMoved = owner !== undefined && missing.has(owner)
  const clash =
    good === undefined || owner === undefined || isMoved ? [] : [doubledName(file, text, good.name, owner)]
  const errors = Result.isFailure(compiled) ? compiled.failure : clash
  if (good === undefined || errors.length > 0) {
    const refused = { text: clash.length > 0 ? text : undefined }
    return {
      files: new Map(files).set(file, { seen, good: before?.good, refused }),
      changes: [{ _tag: "Rejected", file, message: renderErrors(errors), kept: before?.good?.revision }],
      errors
    }
  }
  const next = new Map(files).set(file, { seen, good, refused: false })
  const mover = owner === undefined ? undefined : files.get(owner)
  if (owner !== undefined) next.delete(owner)
  // back to the text that runs already: nothing is loaded again, but the rejected one is over
  const same = before?.good?.name === good.name ? before.good : mover?.good
  const changes: ReadonlyArray<StrategyChange> = [
    ...(before?.good === undefined || before.good.name === good.name
      ? []
      : [{ _tag: "Removed", name: before.good.name, file } as const]),
    ...(mover !== undefined && mover.refused !== false && owner !== undefined
      ? [{ _tag: "Mended", file: owner } as const]
      : []),
    { _tag: "Loaded", strategy: good, previous: same?.revision }
  ]
  return retried({ files: next, changes, errors: [] }, target)
}

/** Reads the files again that were refused for a name which nobody has now. */
const retried = (step: Step, target: Target): Step => {
  let { files } = step
  const changes = [...step.changes]
  for (const file of step.files.keys()) {
    const waiting = files.get(file)
    if (waiting === undefined || waiting.refused === false || waiting.refused.text === undefined) continue
    const unread = new Map(files).set(file, { ...waiting, seen: "" })
    const again = withText(unread, file, waiting.refused.text, target)
    if (again.errors.length > 0) continue
    files = again.files
    changes.push(...again.changes)
  }
  return { ...step, files, changes }
}

/** The files after one of them could not be read: its last good revision stays. */
export const withUnreadable = (files: StrategyFiles, file: string, why: string): Step => {
  const good = files.get(file)?.good
  const error = sourceError(
    { file, text: "", span: { start: 0, end: 0 } },
    { code: "unreadable", message: why }
  )
  return {
    files: new Map(files).set(file, { seen: "", good, refused: { text: undefined } }),
    changes: [{ _tag: "Rejected", file, message: why, kept: good?.revision }],
    errors: [error]
  }
}

/** The files after one of them was deleted. */
export const without = (files: StrategyFiles, file: string, target: Target): Step => {
  const before = files.get(file)
  if (before === undefined) return { files, changes: [], errors: [] }
  const rest = new Map(files)
  rest.delete(file)
  const { good, refused } = before
  const changes: ReadonlyArray<StrategyChange> =
    good !== undefined
      ? [{ _tag: "Removed", name: good.name, file }]
      : refused === false
        ? []
        : [{ _tag: "Mended", file }]
  return retried({ files: rest, changes, errors: [] }, target)
}
