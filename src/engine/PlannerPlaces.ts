/**
 * Places under a limit of distinct things: whoever has one is asked for at no further cost until it is given back.
 * Invariants: 1. no more than `requests` places are taken within any window. 2. when more things are wanted than there are places, these
 * become free evenly over the window.
 */
/** So many requests, or with `distinct` different things, in any window of this length. */
export interface PlannedBudget {
  readonly requests: number
  readonly windowMillis: number
  readonly distinct?: true
}

export interface Places<T> {
  readonly budget: PlannedBudget
  /** When each took its place, oldest first. */
  readonly since: Map<T, number>
  /** Gives back the places whose time is over. */
  readonly expired: (now: number) => ReadonlyArray<T>
  takenAt: number
}

export const makePlaces = <T>(budget: PlannedBudget): Places<T> => {
  const since = new Map<T, number>()
  return {
    budget,
    since,
    takenAt: Number.NEGATIVE_INFINITY,
    expired: (now) => {
      const over: Array<T> = []
      for (const [member, at] of since) {
        if (at + budget.windowMillis > now) break
        since.delete(member)
        over.push(member)
      }
      return over
    }
  }
}

/** When the next place is free for one of so many things. */
export const placeFree = <T>({ budget, since, takenAt }: Places<T>, count: number, now: number): number => {
  const evenly = count > budget.requests ? takenAt + budget.windowMillis / budget.requests : now
  const [oldest = Number.NEGATIVE_INFINITY] = since.values()
  return Math.max(evenly, since.size < budget.requests ? now : oldest + budget.windowMillis)
}

export const takePlace = <T>(places: Places<T>, member: T, now: number): void => {
  if (places.since.has(member)) return
  places.since.set(member, now)
  places.takenAt = now
}
