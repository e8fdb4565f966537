import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/browser/browser.ts'
import { enterDashboard } from '../fixtures/dashboard/shared-owner.ts'

test('a refused request is found by its request ID, explained, and fixed with one button', async ({
  userPage,
  latchkey,
  app,
}) => {
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: `${app.origin}/callback/`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const request = `${latchkey.issuer}/connect/authorize?${query}`
  const refused = await userPage.goto(request)
  expect(refused?.status()).toBe(400)
  const reference = refused?.headers()['x-reference-id'] ?? ''
  await enterDashboard(userPage, latchkey)
  await userPage.getByRole('link', { name: 'Events' }).click()
  await expect(userPage.getByRole('heading', { level: 1 })).toHaveText(/^Events/)
  await userPage.locator('main').getByRole('searchbox').fill(reference)
  await userPage.keyboard.press('Enter')
  await expect(userPage.getByRole('heading', { level: 1 })).toContainText(reference)
  await expect(userPage.locator('mark').first()).toHaveText('/')
  await userPage.getByRole('button', { name: 'Add this redirect URI' }).click()
  const dialog = userPage.getByRole('alertdialog')
  await expect(dialog).toContainText('Anyone can send such a request')
  await dialog.getByRole('button', { name: 'Add this redirect URI' }).click()
  await expect(userPage.getByText('Redirect URI added.')).toBeVisible()
  const again = await userPage.goto(request)
  expect(again?.status()).toBe(200)
})

test('without script, a client can be created, its secret is shown once, and it can be deleted', async ({
  withoutScript: page,
  latchkey,
}) => {
  await enterDashboard(page, latchkey)
  await page.getByRole('link', { name: 'New client' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name').fill('Paper Boats')
  await page.getByLabel('Redirect URIs', { exact: true }).fill('https://boats.example/callback#no')
  await page.getByRole('button', { name: 'Create client' }).click()
  await expect(page.getByRole('alert')).toContainText('fragment')
  await expect(page.getByLabel('Name')).toHaveValue('Paper Boats')
  await page.getByLabel('Redirect URIs', { exact: true }).fill('https://boats.example/callback')
  await page.getByRole('button', { name: 'Create client' }).click()
  await expect(page.getByText(/^lks_/)).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^lks_/)).toHaveCount(0)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Delete this client').click()
  await page.getByRole('button', { name: /^Delete Paper Boats/ }).click()
  await expect(page.getByText('Client deleted.')).toBeVisible()
})

test('two admins edit the same client: the second sees both versions, and nothing is overwritten', async ({
  userPage,
  latchkey,
}) => {
  await enterDashboard(userPage, latchkey)
  const other = await userPage.context().newPage()
  const address = `${latchkey.issuer}/admin/clients/local-only`
  await Promise.all([userPage.goto(address), other.goto(address)])
  await rename(userPage, 'First of two')
  await expect(userPage.getByText('Client saved.')).toBeVisible()
  await rename(other, 'Second of two')
  const conflict = other.getByRole('alert').filter({ hasText: 'Another admin changed this' })
  await expect(conflict).toContainText('First of two')
  // The head and the only changed field: check boxes of scopes and grant types were not changed
  await expect(conflict.getByRole('row')).toHaveCount(2)
  await expect(other.getByLabel('Name', { exact: true })).toHaveValue('Second of two')
  await userPage.reload()
  await expect(userPage.getByRole('heading', { level: 1 })).toContainText('First of two')
})

async function rename(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Save changes' }).click()
}

test('on a phone the actions on selected users cover the list only while a user is selected', async ({
  userPage,
  latchkey,
}) => {
  await enterDashboard(userPage, latchkey)
  await userPage.setViewportSize({ width: 360, height: 500 })
  await userPage.goto(`${latchkey.issuer}/admin/users`)
  const lock = userPage.getByRole('button', { name: /^Lock selected/ })
  await expect(lock).not.toBeInViewport()
  await userPage
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await expect(lock).toBeInViewport()
  await userPage
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .uncheck()
  await expect(lock).not.toBeInViewport()
})
