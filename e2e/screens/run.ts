/**
 * Writes screenshots of most hosted pages to test-results/screens, light and dark, wide and at 360 px: `node
 * e2e/screens/run.ts`.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { findChromium } from '../fixtures/browser/chromium.mjs'
import { openScreen, screens } from '../fixtures/browser/hosted-pages.ts'
import { startRelyingParty } from '../fixtures/requests/relying-party.ts'
import { pagesConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { startLatchkey } from '../fixtures/server/latchkey.ts'

const folder = resolve(import.meta.dirname, '../../test-results/screens')
await mkdir(folder, { recursive: true })
const app = await startRelyingParty()
const configuration = pagesConfiguration({ app: app.origin })
const latchkey = await startLatchkey({ port: await freePort(), configuration })
const browser = await chromium.launch({ ...findChromium(), chromiumSandbox: process.getuid?.() !== 0 })
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1200, 360]) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 800 },
        locale: 'en-GB',
      })
      const page = await context.newPage()
      for (const screen of screens) {
        await openScreen(page, screen, { latchkey, app })
        const file = join(folder, `${screen.name}-${colorScheme}-${width}.png`)
        await page.screenshot({ path: file, fullPage: true })
      }
      await context.close()
    }
  }
  console.log(`${screens.length * 4} pictures in ${folder}`)
} finally {
  await browser.close()
  await latchkey.stop()
  await app.close()
}
