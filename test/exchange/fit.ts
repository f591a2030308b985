/** Prints the calibration fitted to the recorded price histories: `HAGGLE_RECORDED=DIR node test/exchange/fit.ts`. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { env, exit, stderr, stdout } from "node:process"

import { Option } from "effect"

import { parseLabel } from "../../src/domain/SalesLabel.ts"
import { estimate, type Point } from "./Estimate.ts"

const folder = env["HAGGLE_RECORDED"]
if (folder === undefined) {
  stderr.write("HAGGLE_RECORDED names the folder of recorded bodies; it is not set\n")
  exit(1)
} else {
  const from = join(folder, "pricehistory")
  for (const name of readdirSync(from)
    .filter((file) => file.endsWith(".json"))
    .toSorted()) {
    const body: unknown = JSON.parse(readFileSync(join(from, name), "utf8"))
    const prices = (body as { readonly prices: ReadonlyArray<readonly [string, number, string]> }).prices
    const points = prices.flatMap(([label, price, units]): ReadonlyArray<Point> => {
      const at = parseLabel(label)
      return Option.isSome(at) ? [{ at: at.value, price, units: Number(units) }] : []
    })
    stdout.write(`${name} ${JSON.stringify(estimate(points), undefined, 2)}\n`)
  }
}
