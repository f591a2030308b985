/** By what the best of a sweep is chosen; apart from the rest, so that the command line can name them without loading it. */
export const goals = ["profit", "realised", "profit-to-drawdown"] as const
export type Goal = (typeof goals)[number]
