/**
 * Writes screenshots of most hosted pages to test-results/screens, light and dark, wide and at 360 px, and of the mails that they cause:
 * `node e2e/screens/run.ts`. `node e2e/screens/run.ts passkey` draws only the pages whose names contain the word.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright'
import { startWorld } from '../fixtures/browser/browser.ts'
import { findChromium } from '../fixtures/browser/chromium.mjs'
import { openScreen, screens } from '../fixtures/browser/hosted-pages.ts'

const folder = resolve(import.meta.dirname, '../../test-results/screens')
await mkdir(folder, { recursive: true })
const [word = ''] = process.argv.slice(2)
const chosen = screens.filter(({ name }) => name.includes(word))
const { world, close } = await startWorld('sqlite')
const { latchkey } = world
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
      for (const screen of chosen) {
        await openScreen(page, screen, world)
        const file = join(folder, `${screen.name}-${colorScheme}-${width}.png`)
        await page.screenshot({ path: file, fullPage: true })
      }
      await context.close()
    }
  }
  const mails = await drawMails(browser)
  console.log(`${chosen.length * 4 + mails} pictures in ${folder}`)
} finally {
  await browser.close()
  await close()
}

/** Draws one mail of each subject, which the server has written to its data folder. Returns the number of pictures. */
async function drawMails(drawing: Browser): Promise<number> {
  const place = join(latchkey.dataDirectory, 'mail')
  const names = (await readdir(place).catch((): string[] => [])).filter(name => name.endsWith('.json'))
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
