/** What `haggle run` was asked for beyond the configuration; mode, seed, speed and folders are settings. */

/** A recorded price history to replay; without an item it is for the first one that the strategies name. */
export interface HistoryFile {
  readonly item: string | undefined
  readonly file: string
}

export interface RunFlags {
  /** Only the summary goes to stdout. */
  readonly json: boolean
  /** Stop after this much market time; undefined runs until a signal. */
  readonly forMillis: number | undefined
  readonly history: ReadonlyArray<HistoryFile>
}

/** `FILE` or `ITEM=FILE`; an item's name may hold blanks, and a path that begins with `/` or `.` is never an item. */
export const historyFile = (text: string): HistoryFile => {
  const split = /^[./]/.test(text) ? -1 : text.indexOf("=")
  return split < 1
    ? { item: undefined, file: text }
    : { item: text.slice(0, split), file: text.slice(split + 1) }
}
