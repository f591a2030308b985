/** What the planner knows: things that are polled, in the lanes of the operations whose budgets they draw on. */
import { Heap } from "./Heap.ts"
import { makePlaces, type PlannedBudget, type Places } from "./PlannerPlaces.ts"

/** Something that is polled again and again. */
export interface Task<Kind extends string, Key extends string> {
  readonly kind: Kind
  readonly key: Key
  /** Time between two requests when the budget has room. */
  everyMillis: number
  /** How much more than others it matters. */
  weight: number
  /** Virtual time that one request costs it: the reciprocal of its share. */
  stride: number
  /** Virtual time up to which it had its share. */
  pass: number
  dueAt: number
  /** In flight since then. */
  askedAt: number | undefined
  /** Asked for again while it was in flight. */
  again: boolean
  /** It was answered at least once. */
  known: boolean
  /** In a row. */
  failures: number
  place: number
}

/** The things that draw on one operation's budgets. */
export interface Lane<Kind extends string, Key extends string, Operation extends string = string> {
  readonly operation: Operation
  /** Budgets of requests, and when the next one is due if each is spread evenly. */
  readonly paces: ReadonlyArray<Pace>
  readonly waiting: Heap<Task<Kind, Key>>
  readonly ready: Heap<Task<Kind, Key>>
  /** Due things without a place, where places are limited; without limit it stays empty. */
  readonly outside: Heap<Task<Kind, Key>>
  readonly places: Places<Task<Kind, Key>> | undefined
  /** Virtual time: the pass of what was asked for last. */
  virtual: number
  /** Requests per millisecond that are wanted. */
  wanted: number
  count: number
  /** Things that were ever wanted, and the shortest time between two requests of one. */
  started: number
  leastEvery: number
  inFlight: number
}

interface Pace {
  readonly windowMillis: number
  /** Time between two requests that uses the budget up. */
  readonly evenMillis: number
  nextAt: number
}

export interface Planner<Kind extends string, Key extends string, Operation extends string = string> {
  readonly lanes: ReadonlyMap<string, Lane<Kind, Key, Operation>>
  readonly laneOf: (kind: Kind) => Operation
  readonly tasks: Map<string, Task<Kind, Key>>
  inFlight: number
}

export const makePlanner = <Kind extends string, Key extends string, Operation extends string>(
  budgets: ReadonlyMap<Operation, ReadonlyArray<PlannedBudget>>,
  laneOf: (kind: Kind) => Operation
): Planner<Kind, Key, Operation> => ({
  lanes: new Map([...budgets].map(([operation, of]) => [operation, makeLane(operation, of)])),
  laneOf,
  tasks: new Map(),
  inFlight: 0
})

const makeLane = <Kind extends string, Key extends string, Operation extends string>(
  operation: Operation,
  budgets: ReadonlyArray<PlannedBudget>
): Lane<Kind, Key, Operation> => {
  const distinct = budgets.find((one) => one.distinct === true)
  const passOf = ({ pass }: Task<Kind, Key>) => pass
  const isFirstOfEqual = (one: Task<Kind, Key>, other: Task<Kind, Key>) =>
    one.stride < other.stride || (one.stride === other.stride && one.key < other.key)
  return {
    operation,
    paces: budgets
      .filter((one) => one.distinct !== true)
      .map(({ requests, windowMillis }) => ({
        windowMillis,
        evenMillis: windowMillis / requests,
        nextAt: Number.NEGATIVE_INFINITY
      })),
    waiting: new Heap(({ dueAt }) => dueAt),
    ready: new Heap(passOf, isFirstOfEqual),
    outside: new Heap(passOf, isFirstOfEqual),
    places: distinct === undefined ? undefined : makePlaces(distinct),
    virtual: 0,
    wanted: 0,
    count: 0,
    started: 0,
    leastEvery: Number.POSITIVE_INFINITY,
    inFlight: 0
  }
}

export const laneFor = <Kind extends string, Key extends string>(planner: Planner<Kind, Key>, kind: Kind) => {
  const lane = planner.lanes.get(planner.laneOf(kind))
  if (lane === undefined) throw new Error(`no budget is known for polls of ${kind}`)
  return lane
}

export const idOf = (kind: string, key: string): string => `${kind} ${key}`

export const taskOf = <Kind extends string, Key extends string>(
  planner: Planner<Kind, Key>,
  kind: Kind,
  key: Key
): Task<Kind, Key> | undefined => planner.tasks.get(idOf(kind, key))
