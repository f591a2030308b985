/** Sales of an item as a small inline picture: the median as a line, the units as bars. Invariant: it needs nothing but itself. */
import { escapeHtml } from "./Page.ts"

/** [label, median in major units, units]. */
type Point = readonly [label: string, median: number, units: string]

const [width, height, margin] = [720, 220, 34]
/** More points than pixels tell nothing more. */
const mostPoints = 360

/** A line of numbers as a picture needs it: two decimals are half a hundredth of a pixel. */
const at = (value: number): string => String(Math.round(value * 100) / 100)

export const salesChart = (points: ReadonlyArray<Point>): string => {
  const shown = points.slice(-mostPoints)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return "<p>This item has not been sold yet.</p>"
  const prices = shown.map(([, price]) => price)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const most = Math.max(...shown.map(([, , units]) => Number(units)))
  const x = (index: number): number => margin + ((width - 2 * margin) * index) / Math.max(1, shown.length - 1)
  const y = (price: number): number =>
    height - margin - ((height - 2 * margin) * (price - low)) / Math.max(high - low, 1e-9)
  const line = shown.map(([, price], index) => `${at(x(index))},${at(y(price))}`).join(" ")
  const bars = shown.map(([, , units], index) => {
    const length = ((height - 2 * margin) * Number(units)) / (3 * most)
    return `M${at(x(index))} ${height - margin}v${at(-length)}`
  })
  return `<svg class="price_history" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Price history">
<path d="${bars.join("")}" stroke="#cfd8e3" fill="none"/>
<polyline points="${line}" fill="none" stroke="#0b5394" stroke-width="1.5"/>
<text x="4" y="${margin}" font-size="11">${high}</text><text x="4" y="${height - margin}" font-size="11">${low}</text>
<text x="${margin}" y="${height - 10}" font-size="11">${escapeHtml(first[0].slice(0, 11))}</text>
<text x="${width - margin}" y="${height - 10}" font-size="11" text-anchor="end">${escapeHtml(last[0].slice(0, 11))}</text>
</svg>`
}
