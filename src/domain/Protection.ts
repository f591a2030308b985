/**
 * Rules about a strategy's own fortune: when it buys nothing for a while, or stops. Data on the compiled strategy; engine/Protections
 * judges by them. Invariant: a protection only ever takes away, it never makes anything happen on the market but cancels.
 */

/** What a pause is about: one item, or the whole strategy. */
type Scope = "item" | "strategy"

export type Protection =
  /** Nothing is bought for a while after one of our trades. */
  | {
      readonly kind: "cooldown"
      readonly after: "buy" | "sell" | "loss"
      readonly forMillis: number
      readonly scope: Scope
    }
  /** Nothing is bought for a while after so many sales in a row within the window that all lost money. */
  | {
      readonly kind: "losing-streak"
      readonly sales: number
      readonly overMillis: number
      readonly forMillis: number
      readonly scope: Scope
    }
  /** Profit, what is held included, fell from its height within the window by more than this part of the most that was invested in it. */
  | {
      readonly kind: "drawdown"
      readonly overMillis: number
      readonly maxFraction: number
      readonly consequence: "reduce" | "halt" | "halt-all"
    }
  /** The price moved by more than this fraction: from any that was seen in the window, or from the history's median over it. */
  | {
      readonly kind: "price-jump"
      readonly of: "mid" | "ask" | "bid"
      readonly against: "book" | "history"
      readonly maxFraction: number
      readonly overMillis: number
      readonly forMillis: number
    }

export type ProtectionKind = Protection["kind"]
