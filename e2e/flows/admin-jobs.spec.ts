import { pointerOn } from '../fixtures/browser/pointer-and-keyboard.ts'
import { everydayJobs } from '../fixtures/dashboard/everyday-jobs.ts'
import { expect, test } from '../fixtures/dashboard/owner-in-browser.ts'

test.describe('everyday jobs, at most three clicks from the overview', () => {
  for (const { name, begin } of everydayJobs) {
    test(name, async ({ desk }) => {
      const { act, proof } = await begin(desk)
      const hands = pointerOn(desk.page)
      await act(hands)
      expect(hands.clicks(), 'clicks from the overview').toBeLessThanOrEqual(3)
      await proof()
    })
  }
})
