import { expect, test } from '../fixtures/admin-desk.ts'
import { everydayJobs } from '../fixtures/admin-jobs.ts'
import { keyboardOn } from '../fixtures/hands.ts'

test.describe('everyday jobs by keyboard alone, the focus seen all the way', () => {
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
