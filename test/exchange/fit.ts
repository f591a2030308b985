/** Prints the calibration fitted to the recorded price histories: `HAGGLE_RECORDED=DIR node test/exchange/fit.ts`. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Option } from "effect"

import { parseLabel } from "../../src/domain/SalesLabel.ts"
import { estimate, type Point } from "./Estimate.ts"

const folder = process.env["HAGGLE_RECORDED"]
if (folder === undefined) {
  process.stderr.write("HAGGLE_RECORDED names the folder of recorded bodies; it is not set\n")
  process.exitCode = 1
} else {
  const from = join(folder, "pricehistory")
  for (const name of readdirSync(from).filter((file) => file.endsWith(".json")).toSorted()) {
    const body: unknown = JSON.parse(readFileSync(join(from, name), "utf8"))
    const prices = (body as { readonly prices: ReadonlyArray<readonly [string, number, string]> }).prices
    const points = prices.flatMap(([label, price, units]): ReadonlyArray<Point> => {
      const at = parseLabel(label)
      return Option.isSome(at) ? [{ at: at.value, price, units: Number(units) }] : []
    })
    process.stdout.write(`${name} ${JSON.stringify(estimate(points), undefined, 2)}\n`)
  }
}
