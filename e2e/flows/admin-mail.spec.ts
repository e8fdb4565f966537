/** Tests the page of mail in the dashboard with script. */
import { expect, test } from '../fixtures/browser/browser.ts'
import { enterDashboard } from '../fixtures/dashboard/shared-owner.ts'

test('a test mail shows the answer of the mail server without a reload of the page', async ({
  userPage: page,
  latchkey,
}) => {
  await enterDashboard(page, latchkey)
  await page.goto(`${latchkey.issuer}/admin/mail`)
  const to = `reader-${process.pid}@example.org`
  await page.getByLabel('Email address').fill(to)
  await page.getByRole('button', { name: 'Send a test mail' }).click()
  const row = page.getByRole('row').filter({ hasText: to })
  await expect(row).toBeVisible()
  await page.evaluate(() => document.body.setAttribute('data-same', ''))
  await expect(row).toContainText('Accepted')
  await expect(page.locator('body')).toHaveAttribute('data-same', '')
})
