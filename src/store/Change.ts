/** A change of one row of the read model, as a value: what an event does to the tables is decided without a database. */
type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

export type Change =
  | { readonly _tag: "Insert"; readonly table: string; readonly row: Row }
  /** Replaces all columns of the row whose `key` column has the row's own value. */
  | { readonly _tag: "Upsert"; readonly table: string; readonly key: string; readonly row: Row }
  /** Sets these columns of a row that may be there. */
  | {
      readonly _tag: "Update"
      readonly table: string
      readonly key: string
      readonly id: Cell
      readonly row: Row
    }

/** Keys whose value is another one now. */
export const touched = <A>(
  before: Readonly<Record<string, A>>,
  after: Readonly<Record<string, A>>
): ReadonlyArray<string> =>
  before === after ? [] : Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key])
