/**
 * Runs in the page: sorts tables and draws charts of the data that stands beside it. Knows nothing of the network.
 * Invariants: 1. charts have the page's colours, light or dark, and light ones on paper. 2. times are UTC.
 */
/* global uPlot, document, window, matchMedia, getComputedStyle */
const { charts, money } = JSON.parse(document.getElementById("data").textContent)
const daySeconds = 86_400
const time = (seconds) => uPlot.tzDate(new globalThis.Date(seconds * 1000), "Etc/UTC")
const day = uPlot.fmtDate("{YYYY}-{MM}-{DD}")
const hour = uPlot.fmtDate("{MM}-{DD} {HH}:{mm}")
const stamp = uPlot.fmtDate("{YYYY}-{MM}-{DD} {HH}:{mm}")
const decimals = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const amount = (minor) =>
  minor == null
    ? "–"
    : `${minor < 0 ? "-" : ""}${money.prefix}${decimals.format(Math.abs(minor) / 100)}${money.suffix}`
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
const faded = (hex, opacity) =>
  `${hex}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, "0")}`

/** Triangles where something was bought (up) and sold (down: green won, red lost). */
const marks = (chart, trades) => {
  const { ctx } = chart
  const size = 5 * window.devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(chart.bbox.left, chart.bbox.top, chart.bbox.width, chart.bbox.height)
  ctx.clip()
  for (const { at, price, side, profit } of trades) {
    const x = chart.valToPos(at, "x", true)
    const y = chart.valToPos(price, "y", true)
    const down = side === "Sell" ? 1 : -1
    ctx.fillStyle = colour(side === "Buy" ? "accent" : profit < 0 ? "loss" : "gain")
    ctx.strokeStyle = colour("panel")
    ctx.lineWidth = window.devicePixelRatio
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(x - size, y - down * size * 1.8)
    ctx.lineTo(x + size, y - down * size * 1.8)
    ctx.closePath()
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}

/** From the lowest to the highest of what is drawn, our trades included: they may lie outside the best prices. */
const spread = (low, high, trades) => {
  const prices = [low, high, ...trades.map(({ price }) => price)].filter((price) => price !== null)
  return prices.length === 0 ? [0, 100] : uPlot.rangeNum(Math.min(...prices), Math.max(...prices), 0.1, true)
}

const axis = (extra) => ({
  stroke: colour("quiet"),
  grid: { stroke: colour("grid"), width: 1 },
  ticks: { stroke: colour("line"), width: 1 },
  font: "12px system-ui, sans-serif",
  ...extra
})

const drawn = new Map()
const draw = (place, { title, series, data, height, trades = [] }) => {
  drawn.get(place)?.destroy()
  const shape = {
    title,
    width: Math.max(240, place.clientWidth - 14),
    height,
    // the last day's label stands over the end of its axis
    padding: [null, 34, null, null],
    tzDate: time,
    cursor: { sync: { key: "run", scales: ["x", null] } },
    scales: { x: { time: true }, y: { range: (_, low, high) => spread(low, high, trades) } },
    axes: [
      axis({
        space: 95,
        values: (_, splits, __, ___, step) => splits.map((at) => (step >= daySeconds ? day : hour)(time(at)))
      }),
      axis({ size: 88, values: (_, values) => values.map(amount) })
    ],
    series: [
      { label: "UTC", value: (_, seconds) => (seconds == null ? "–" : stamp(time(seconds))) },
      ...series.map(({ label, tone, step, fill }) => ({
        label,
        stroke: colour(tone),
        width: 1.5,
        spanGaps: false,
        points: { show: false },
        value: (_, value) => amount(value),
        ...(fill ? { fill: faded(colour(tone), 0.14) } : {}),
        ...(step ? { paths: uPlot.paths.stepped({ align: 1 }) } : {})
      }))
    ],
    hooks: { draw: [(chart) => marks(chart, trades)] }
  }
  drawn.set(place, new uPlot(shape, data, place))
}

const picker = document.getElementById("item")
const drawItem = () => {
  const place = document.getElementById("prices")
  const item = charts.items[Number(picker?.value ?? 0)]
  if (!place || !item) return
  document.getElementById("item-note").textContent = item.note
  draw(place, { ...item, height: 320 })
}
const drawAll = () => {
  for (const [id, chart] of Object.entries(charts.curves)) {
    const place = document.getElementById(id)
    if (place) draw(place, chart)
  }
  drawItem()
}

const sortBy = (table, column, heading) => {
  const ascending = heading.getAttribute("aria-sort") === "descending"
  for (const other of heading.parentElement.children) other.removeAttribute("aria-sort")
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending")
  const number = heading.classList.contains("number")
  const key = (row) => {
    const cell = row.children[column]
    if (!number) return cell.textContent
    return cell.dataset.value === "" ? null : Number(cell.dataset.value)
  }
  const compare = (a, b) => (number ? a - b : a.localeCompare(b))
  const body = table.tBodies[0]
  const rows = [...body.rows].map((row) => ({ row, key: key(row) }))
  rows.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null)
    return ascending ? compare(a.key, b.key) : compare(b.key, a.key)
  })
  body.append(...rows.map(({ row }) => row))
}

for (const table of document.querySelectorAll("table.sortable"))
  for (const [column, heading] of [...table.tHead.rows[0].cells].entries()) {
    heading.tabIndex = 0
    heading.addEventListener("click", () => sortBy(table, column, heading))
    heading.addEventListener("keydown", ({ key }) => key === "Enter" && sortBy(table, column, heading))
  }

picker?.addEventListener("change", drawItem)
for (const row of document.querySelectorAll("tr[data-item]"))
  row.addEventListener("click", () => {
    picker.value = row.dataset.item
    drawItem()
    document.getElementById("prices").scrollIntoView({ behavior: "smooth", block: "center" })
  })

const onPaper = (paper) => {
  if (paper) document.documentElement.dataset.theme = "light"
  else delete document.documentElement.dataset.theme
  drawAll()
}
window.addEventListener("beforeprint", () => onPaper(true))
window.addEventListener("afterprint", () => onPaper(false))
matchMedia("print").addEventListener("change", ({ matches }) => onPaper(matches))
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll)
let resizing
window.addEventListener("resize", () => {
  window.cancelAnimationFrame(resizing)
  resizing = window.requestAnimationFrame(drawAll)
})
drawAll()
