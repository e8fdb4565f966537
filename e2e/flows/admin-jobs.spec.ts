import { expect, test } from '../fixtures/admin-desk.ts'
import { everydayJobs } from '../fixtures/admin-jobs.ts'
import { pointerOn } from '../fixtures/hands.ts'

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
