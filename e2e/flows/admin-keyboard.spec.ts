import { keyboardOn } from '../fixtures/browser/pointer-and-keyboard.ts'
import { everydayJobs } from '../fixtures/dashboard/everyday-jobs.ts'
import { area } from '../fixtures/dashboard/locators.ts'
import { expect, test } from '../fixtures/dashboard/owner-in-browser.ts'

test.describe('common tasks with the keyboard only and a visible focus', () => {
  for (const { name, begin } of everydayJobs) {
    test(name, async ({ desk }) => {
      const { act, proof } = await begin(desk)
      const hands = keyboardOn(desk.page)
      await act(hands)
      expect(hands.clicks(), 'steps from the overview').toBeLessThanOrEqual(3)
      await proof()
    })
  }
})

test('the test detects an invisible focus', async ({ desk }) => {
  await desk.page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(':focus-visible { outline: none !important }')
    document.adoptedStyleSheets = [sheet]
  })
  await expect(keyboardOn(desk.page).press(area(desk.page, 'Keys'))).rejects.toThrow(/has the focus/)
})
