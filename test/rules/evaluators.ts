/**
 * `npm run evaluators -- [--cases N] [--seed S]`: the interpreter against the closures on random typed expressions over random facts.
 * Exit code 1 when they differ anywhere.
 */
import process from "node:process"
import { parseArgs } from "node:util"

import { agreement } from "./Agree.ts"

const { values } = parseArgs({
  options: { cases: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } }
})
const began = performance.now()
const { cases, differences, unknown } = agreement(Number(values.seed), Number(values.cases))
for (const difference of differences.slice(0, 10)) process.stdout.write(`${difference}\n`)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
process.stdout.write(
  `${cases} cases, ${unknown} of them Unknown, ${differences.length} differences, ${seconds} s\n`
)
process.exitCode = differences.length === 0 ? 0 : 1
