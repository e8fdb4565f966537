import { enterDashboard } from '../fixtures/admin-office.ts'
import { allow, expect, test } from '../fixtures/browser.ts'
import { clientSecret } from '../fixtures/configuration.ts'

test('a client test runs the real flow in three clicks and shows the content of the tokens', async ({
  person,
  latchkey,
}) => {
  await enterDashboard(person, latchkey)
  await person.goto(`${latchkey.issuer}/admin/clients/web`)
  await person.getByRole('link', { name: 'Test this client' }).click()
  await person.getByLabel('One of its secrets').fill(clientSecret)
  await person.getByRole('button', { name: 'Run the test' }).click()
  await allow(person)
  await expect(person.getByText('The client works.')).toBeVisible()
  const steps = person.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem')
  await expect(steps).toHaveCount(8)
  await expect(steps.filter({ hasText: 'Passed' })).toHaveCount(8)
  await expect(person.locator('#identity_token')).toContainText('"aud": "web"')
  await person.reload()
  await expect(person.getByText('The client works.')).toHaveCount(0)
})

test('the test of an implicit client receives its tokens by form_post', async ({ person, latchkey }) => {
  await enterDashboard(person, latchkey)
  await person.goto(`${latchkey.issuer}/admin/clients/spa/test`)
  await person.getByRole('button', { name: 'Run the test' }).click()
  await expect(person.getByText('The client works.')).toBeVisible()
})
