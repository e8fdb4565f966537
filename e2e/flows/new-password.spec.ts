/** Tests the guidance of the forms for a new password. */
import type { Page } from 'playwright/test'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { alice } from '../fixtures/server/configuration.ts'

const fields = (page: Page) => ({
  current: page.getByLabel('Current password', { exact: true }),
  password: page.getByLabel('New password', { exact: true }),
  again: page.getByLabel('Confirm new password', { exact: true }),
})

async function open(page: Page, issuer: string, query = ''): Promise<void> {
  await page.goto(`${issuer}/login?back=%2Faccount%2Fpassword`)
  await signIn(page)
  await page.goto(`${issuer}/account/password${query}`)
}

const met = (page: Page) =>
  page
    .locator('[data-rule][data-met]')
    .evaluateAll(items => items.map(item => item.getAttribute('data-rule')))

test('the form says the rules before the user types, and shows which are met while the user types', async ({
  userPage,
  latchkey,
}) => {
  await open(userPage, latchkey.issuer)
  const { password, again } = fields(userPage)
  await expect(userPage.getByText('At least 15 characters', { exact: true })).toBeVisible()
  await expect(password).toHaveAccessibleDescription(/At least 15 characters/)
  expect(await met(userPage)).toEqual([])
  const steps = [
    [password, 'short one', ['own']],
    [password, 'aaaaaaaaaaaaaaaaaaaa', ['length']],
    [password, `${alice.username}-${alice.username}-${alice.username}`, ['length']],
    [password, 'seven gray herons', ['length', 'own']],
    [again, 'seven gray heron', ['length', 'own']],
    [again, 'seven gray herons', ['length', 'own', 'again']],
  ] as const
  for (const [field, text, rules] of steps) {
    await field.fill(text)
    expect(await met(userPage), text).toEqual(rules)
  }
  await expect(userPage.getByText('The password meets these rules.')).toHaveCount(1)
  await again.fill('')
  await expect(userPage.getByText('Still needed: The same in both fields')).toHaveCount(1)
})

test('every fault of a refused password is at its field, and in a summary that leads to it', async ({
  userPage,
  latchkey,
}) => {
  await open(userPage, latchkey.issuer, '?error=missing_current+differs+too_short+common')
  const { current, password, again } = fields(userPage)
  const summary = userPage.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(userPage).toHaveTitle(/^(?:Error|Problem)/)
  await expect(current).toHaveAccessibleDescription(/Enter your current password/)
  await expect(password).toHaveAccessibleDescription(/too short\. Use at least 15 characters\. .*too common/)
  await expect(again).toHaveAccessibleDescription(/don’t match/)
  for (const field of [current, password, again]) await expect(field).toHaveAttribute('aria-invalid', 'true')
  await summary.getByRole('link', { name: /too short/ }).click()
  await expect(password).toBeFocused()
})

test('the form works without JavaScript, and shows the same rules', async ({ withoutScript, latchkey }) => {
  await open(withoutScript, latchkey.issuer)
  await expect(withoutScript.getByText('At least 15 characters', { exact: true })).toBeVisible()
  const { current, password, again } = fields(withoutScript)
  await current.fill(alice.password)
  await password.fill('too short')
  await again.fill('too short')
  await withoutScript.getByRole('button', { name: 'Change password' }).click()
  await expect(withoutScript.getByRole('alert')).toContainText('Use at least 15 characters')
})
