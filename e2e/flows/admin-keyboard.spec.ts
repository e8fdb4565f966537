import { expect, test } from '../fixtures/admin-desk.ts'
import { everydayJobs } from '../fixtures/admin-jobs.ts'
import { area } from '../fixtures/admin-places.ts'
import { keyboardOn } from '../fixtures/hands.ts'

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
