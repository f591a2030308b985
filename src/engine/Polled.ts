/** The facts that are polled item by item, and the operation whose budget each draws on: a new one is a row here and one in PollRead. */
import type { PolledFact } from "../domain/Facts.ts"
import type { ItemKey } from "../domain/Item.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PlannedBudget } from "./PlannerPlaces.ts"
import { makePlanner, type Planner, type Task } from "./PlannerState.ts"

export type MarketFact = Exclude<PolledFact, "wallet">

export const operationOf: Readonly<Record<MarketFact, Operation>> = {
  book: "orderbook",
  history: "pricehistory",
  overview: "priceoverview",
  offers: "listings",
  description: "listings"
}
export const marketFacts = Object.keys(operationOf) as ReadonlyArray<MarketFact>

export type PollTask = Task<MarketFact, ItemKey>
export type PollPlanner = Planner<MarketFact, ItemKey, Operation>

export const pollPlanner = (budgetsOf: (operation: Operation) => ReadonlyArray<PlannedBudget>): PollPlanner =>
  makePlanner(
    new Map(Object.values(operationOf).map((operation) => [operation, budgetsOf(operation)])),
    (fact) => operationOf[fact]
  )
