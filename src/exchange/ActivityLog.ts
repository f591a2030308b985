/** The last orders and sales of an item, as the activity operation tells them. Invariant: a fixed number of rows, oldest first. */
/** In the place of an account where an order has no such side. */
export const nobody = -2

type ActivityKind = "BuyOrder" | "SellOrder" | "BuyOrderCancel" | "SellOrderCancel" | "Purchase"

/** Accounts by index, `background` for the others, `nobody` for none; prices are those of the book. */
export type ActivityRow = readonly [
  at: number,
  kind: ActivityKind,
  price: number,
  units: number,
  buyer: number,
  seller: number
]

const rowsKept = 16

export const logActivity = (
  { activity }: { readonly activity: Array<ActivityRow> },
  row: ActivityRow
): void => {
  if (activity.length >= rowsKept) activity.shift()
  activity.push(row)
}
