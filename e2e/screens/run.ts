/**
 * Writes screenshots of most hosted pages to test-results/screens, light and dark, wide and at 360 px, and of the mails that they cause:
 * `node e2e/screens/run.ts`.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright'
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
  const mails = await drawMails(browser)
  console.log(`${screens.length * 4 + mails} pictures in ${folder}`)
} finally {
  await browser.close()
  await latchkey.stop()
  await app.close()
}

/** Draws one mail of each subject, which the server has written to its data folder. Returns the number of pictures. */
async function drawMails(drawing: Browser): Promise<number> {
  const place = join(latchkey.dataDirectory, 'mail')
  const names = (await readdir(place)).filter(name => name.endsWith('.json'))
  const mails = await Promise.all(
    names.map(async name => JSON.parse(await readFile(join(place, name), 'utf8'))),
  )
  const bySubject = new Map<string, string>(mails.map(({ subject, html }) => [subject, html]))
  for (const width of [800, 360]) {
    const page = await drawing.newPage({ viewport: { width, height: 600 } })
    for (const [subject, html] of bySubject) {
      await page.setContent(html)
      const name = subject.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)
      await page.screenshot({ path: join(folder, `mail-${name}-${width}.png`), fullPage: true })
    }
    await page.close()
  }
  return bySubject.size * 2
}
