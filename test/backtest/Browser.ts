/** A real browser without a network, for pages of ours. */
import chromium from "@sparticuz/chromium"
import { type Browser, chromium as driver, type Page } from "playwright-core"

export const launch = async (): Promise<Browser> =>
  driver.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    headless: true
  })

export interface Opened {
  readonly page: Page
  /** What the console complained about, uncaught errors included. */
  readonly complaints: ReadonlyArray<string>
  /** Addresses other than the page's own file that it asked for. */
  readonly requests: ReadonlyArray<string>
}

/** The page of a file, in a browser that is offline. */
export const openFile = async (
  browser: Browser,
  path: string,
  options: { readonly dark?: boolean; readonly width?: number } = {}
): Promise<Opened> => {
  const { dark = false, width = 1280 } = options
  const context = await browser.newContext({
    offline: true,
    locale: "en-US",
    colorScheme: dark ? "dark" : "light",
    viewport: { width, height: 900 }
  })
  const page = await context.newPage()
  const complaints: Array<string> = []
  const requests: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("request", (request) => {
    if (request.url() !== `file://${path}`) requests.push(request.url())
  })
  await page.goto(`file://${path}`)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  )
  return { page, complaints, requests }
}
