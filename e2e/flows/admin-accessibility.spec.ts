import { problemsInViews } from '../fixtures/browser/axe-views.ts'
import { scriptBytes } from '../fixtures/browser/script-weight.ts'
import { adminScreens } from '../fixtures/dashboard/dashboard-pages.ts'
import { expect, test } from '../fixtures/dashboard/owner-in-browser.ts'

const atOnce = 12
/** The largest size of a page's scripts. The overview is opened most often and needs the least. */
const mostScriptBytes = (path: string) => (path === '/admin' ? 130 : 140) * 1024

for (let from = 0; from < adminScreens.length; from += atOnce) {
  const some = adminScreens.slice(from, from + atOnce)
  test(`axe finds no problem in light, dark, at 360 px and 400 % zoom, and at most 140 KB of script, from ${some[0]} on`, async ({
    desk,
  }) => {
    test.setTimeout(240_000)
    for (const path of some) {
      await desk.page.goto(desk.latchkey.issuer + path)
      await expect.soft(desk.page.locator('h1'), path).toHaveCount(1)
      const bytes = await scriptBytes(desk.page)
      expect.soft(bytes, path).toBeGreaterThan(0)
      expect.soft(bytes, path).toBeLessThan(mostScriptBytes(path))
      expect.soft(await problemsInViews(desk.page), path).toEqual([])
    }
  })
}
