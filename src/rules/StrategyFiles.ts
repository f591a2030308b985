/**
 * The files of one directory and what became of each: pure state, changed by one file's new text at a time.
 * Invariants: 1. a broken text keeps the file's last good strategy. 2. two files never carry the same name. 3. the same text twice
 * changes nothing.
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

const doubledName = (
  files: StrategyFiles,
  file: string,
  text: string,
  name: string
): SourceError | undefined => {
  const other = [...files].find(([path, { good }]) => path !== file && good?.name === name)
  if (other === undefined) return undefined
  const start = Math.max(0, text.search(/^name:/m))
  const message = `the strategy \`${name}\` is already defined in ${other[0]}`
  const at = { file, text, span: { start, end: start + 4 } }
  return sourceError(at, { code: "doubled-name", message, remedy: "give this file its own `name`" })
}

/** The files after one of them has this text. */
export const withText = (files: StrategyFiles, file: string, text: string, target: Target): Step => {
  const before = files.get(file)
  const seen = revisionOf(text)
  if (before?.seen === seen) return { files, changes: [], errors: [] }
  const compiled = compileStrategy(file, text, target)
  const clash = Result.isSuccess(compiled) ? doubledName(files, file, text, compiled.success.name) : undefined
  const errors = Result.isFailure(compiled) ? compiled.failure : clash === undefined ? [] : [clash]
  if (Result.isFailure(compiled) || clash !== undefined) {
    const kept = before?.good?.revision
    const change: StrategyChange = { _tag: "Rejected", file, message: renderErrors(errors), kept }
    return { files: new Map(files).set(file, { seen, good: before?.good }), changes: [change], errors }
  }
  const good = compiled.success
  const old = before?.good
  const renamed: ReadonlyArray<StrategyChange> =
    old === undefined || old.name === good.name ? [] : [{ _tag: "Removed", name: old.name, file }]
  // back to the text that runs already: nothing is loaded again, but the rejected one is over
  const previous = old?.name === good.name ? old.revision : undefined
  const changes: ReadonlyArray<StrategyChange> = [...renamed, { _tag: "Loaded", strategy: good, previous }]
  return { files: new Map(files).set(file, { seen, good }), changes, errors: [] }
}

/** The files after one of them could not be read: its last good revision stays. */
export const withUnreadable = (files: StrategyFiles, file: string, why: string): Step => {
  const before = files.get(file)
  const error = sourceError(
    { file, text: "", span: { start: 0, end: 0 } },
    { code: "unreadable", message: why }
  )
  const change: StrategyChange = {
    _tag: "Rejected",
    file,
    message: why,
    kept: before?.good?.revision
  }
  return {
    files: new Map(files).set(file, { seen: "", good: before?.good }),
    changes: [change],
    errors: [error]
  }
}

/** The files after one of them was deleted. */
export const without = (files: StrategyFiles, file: string): Step => {
  const before = files.get(file)
  if (before === undefined) return { files, changes: [], errors: [] }
  const rest = new Map(files)
  rest.delete(file)
  const name = before.good?.name
  return { files: rest, changes: name === undefined ? [] : [{ _tag: "Removed", name, file }], errors: [] }
}
