import { problemsInViews } from '../fixtures/browser/axe-views.ts'
import { expect, test } from '../fixtures/browser/browser.ts'
import { openScreen, screens } from '../fixtures/browser/hosted-pages.ts'

for (const screen of screens) {
  test(`axe finds no problem in light, dark, at 360 px and 400 % zoom: ${screen.name}`, async ({
    userPage,
    latchkey,
    app,
  }) => {
    await openScreen(userPage, screen, { latchkey, app })
    expect(await problemsInViews(userPage)).toEqual([])
  })
}
