import { enterDashboard } from '../fixtures/admin-office.ts'
import { allow, expect, test } from '../fixtures/browser.ts'
import { clientSecret } from '../fixtures/configuration.ts'

test('a client is tested by its real flow: three clicks, consent, and what its tokens say', async ({
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

test('an implicit client posts its tokens back to the test by itself', async ({ person, latchkey }) => {
  await enterDashboard(person, latchkey)
  await person.goto(`${latchkey.issuer}/admin/clients/spa/test`)
  await person.getByRole('button', { name: 'Run the test' }).click()
  await expect(person.getByText('The client works.')).toBeVisible()
})
