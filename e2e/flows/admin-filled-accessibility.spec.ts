import { problemsInViews } from '../fixtures/browser/axe-views.ts'
import { expect, test } from '../fixtures/dashboard/owner-in-browser.ts'
import { filledScreens } from '../fixtures/dashboard/pages-with-content.ts'
import { openPalette } from '../fixtures/dashboard/shared-owner.ts'

test('axe finds no problem on filled pages: sessions, request traces, secrets, errors, a conflict', async ({
  desk,
}) => {
  test.setTimeout(240_000)
  for (const { name, path } of await filledScreens(desk)) {
    const answer = await desk.page.goto(new URL(path, desk.latchkey.issuer).href)
    expect.soft(answer?.status(), name).toBe(200)
    // The palette opens once script runs; a text that changes before is an error for React
    await openPalette(desk.page)
    await desk.page.keyboard.press('Escape')
    await expect(desk.page.getByRole('dialog')).toBeHidden()
    await desk.page.evaluate(showLongTimes)
    expect.soft(await problemsInViews(desk.page), name).toEqual([])
  }
})

/** Gives the times in tables a long text, since everything on the page has just happened or never. It runs in the page. */
function showLongTimes(): void {
  for (const time of document.querySelectorAll('.data-table :is(.when, td > .faint)')) {
    time.className = 'when'
    if (time.firstChild !== null) time.firstChild.textContent = '27 minutes ago'
  }
}
