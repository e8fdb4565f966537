import { problemsInViews } from '../fixtures/axe-views.ts'
import { expect, test } from '../fixtures/browser.ts'
import { openScreen, screens } from '../fixtures/screens.ts'

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
