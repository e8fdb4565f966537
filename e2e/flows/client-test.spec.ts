import { allow, expect, test } from '../fixtures/browser/browser.ts'
import { enterDashboard } from '../fixtures/dashboard/shared-owner.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'

test('a client test runs the real flow in three clicks and shows the content of the tokens', async ({
  userPage,
  latchkey,
}) => {
  await enterDashboard(userPage, latchkey)
  await userPage.goto(`${latchkey.issuer}/admin/clients/web`)
  await userPage.getByRole('link', { name: 'Test this client' }).click()
  await userPage.getByLabel('One of its secrets').fill(clientSecret)
  await userPage.getByRole('button', { name: 'Run the test' }).click()
  await allow(userPage)
  await expect(userPage.getByText('The client works.')).toBeVisible()
  const steps = userPage.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem')
  await expect(steps).toHaveCount(8)
  await expect(steps.filter({ hasText: 'Passed' })).toHaveCount(8)
  await expect(userPage.locator('#identity_token')).toContainText('"aud": "web"')
  await userPage.reload()
  await expect(userPage.getByText('The client works.')).toHaveCount(0)
})

test('the test of an implicit client receives its tokens by form_post', async ({ userPage, latchkey }) => {
  await enterDashboard(userPage, latchkey)
  await userPage.goto(`${latchkey.issuer}/admin/clients/spa/test`)
  await userPage.getByRole('button', { name: 'Run the test' }).click()
  await expect(userPage.getByText('The client works.')).toBeVisible()
})
