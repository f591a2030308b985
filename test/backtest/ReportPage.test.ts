import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser } from "playwright-core"

import { reportPage } from "../../src/backtest/page/ReportPage.ts"
import { thinned } from "../../src/backtest/Thin.ts"
import { pageAssets } from "../../src/cli/commands/PageAssets.ts"
import { launch, openFile } from "./Browser.ts"
import { crate, small } from "./Results.ts"

const folder = mkdtempSync(join(tmpdir(), "haggle-page-"))
const file = join(folder, "report.html")
let browser: Browser

beforeAll(async () => {
  const assets = await Effect.runPromise(Effect.provide(pageAssets(), NodeServices.layer))
  writeFileSync(file, reportPage(small, assets))
  browser = await launch()
}, 60_000)
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true })
})

describe("The page of a run", () => {
  it("opens without a network and without a complaint, light and dark, and draws all its charts", async () => {
    for (const dark of [false, true]) {
      const { complaints, page, requests } = await openFile(browser, file, { dark })
      assert.deepStrictEqual([complaints, requests], [[], []])
      const drawn = await page.$$eval("canvas", (canvases) =>
        canvases.map((canvas) => {
          const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
          return pixels.some((value) => value !== 0)
        })
      )
      assert.deepStrictEqual(drawn, [true, true, true, true])
      await page.context().close()
    }
  })

  it("shows the figures, escapes what a market calls its items, and tells its doubts", async () => {
    const { page } = await openFile(browser, file)
    const text = await page.innerText("body")
    assert.include(text, "+$0.35")
    assert.include(text, crate)
    assert.include(text, "100 % of what was won comes from 730/Glove Case")
    assert.strictEqual(await page.locator("hours").count(), 0)
    await page.context().close()
  })

  it("sorts a table by the column that is clicked, numbers as numbers", async () => {
    const { page } = await openFile(browser, file)
    const firstItem = () => page.innerText("#items tbody tr:first-child td:first-child")
    assert.strictEqual(await firstItem(), "730/Glove Case")
    await page.click("#items th:has-text('Profit')")
    assert.strictEqual(await firstItem(), "730/Glove Case")
    await page.click("#items th:has-text('Profit')")
    assert.strictEqual(await firstItem(), crate)
    await page.context().close()
  })

  it("draws the item that is chosen", async () => {
    const { complaints, page } = await openFile(browser, file)
    await page.selectOption("#item", "1")
    assert.strictEqual(await page.innerText("#prices .u-title"), crate)
    await page.click("#items tr[data-item='0']")
    assert.strictEqual(await page.innerText("#prices .u-title"), "730/Glove Case")
    assert.deepStrictEqual(complaints, [])
    await page.context().close()
  })
})

describe("A curve with fewer points", () => {
  it("keeps its ends, its peak and its trough", () => {
    const values = Array.from({ length: 10_000 }, (_, index) => Math.sin(index / 90) * (index % 13))
    const kept = thinned(values, 500)
    const left = kept.map((index) => values[index] ?? 0)
    assert.isAtMost(kept.length, 500)
    assert.deepStrictEqual([kept[0], kept.at(-1)], [0, 9_999])
    assert.deepStrictEqual([Math.max(...left), Math.min(...left)], [Math.max(...values), Math.min(...values)])
    assert.deepStrictEqual(
      kept.toSorted((a, b) => a - b),
      kept
    )
    assert.deepStrictEqual(thinned([3, 1, 2], 5), [0, 1, 2])
  })
})
