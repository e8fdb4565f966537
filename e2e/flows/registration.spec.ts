/** Tests how a new user gets from an app through the registration page and the mail back to the app, in a real browser. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/browser/browser.ts'
import { newestLink } from '../fixtures/browser/kept-mails.ts'
import { addAuthenticator } from '../fixtures/browser/virtual-authenticator.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'

const password = 'nine quiet harbors at night'

async function fillIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Full name').fill('Nora Newcomer')
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your mail')
}

test('UXC-01 without script a new user gets from the sign-in page of an app through the mail back to the app', async ({
  withoutScript: page,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await page.goto(request.url.href)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await fillIn(page, 'nora')
  await page.goto(await newestLink(latchkey.issuer, '/login/register/confirm', 'nora@example.org'))
  await expect(page.getByText('User name nora, email nora@example.org')).toBeVisible()
  await page.getByRole('button', { name: 'Create account' }).click()
  const claims = (await finish(request, await app.arrival())).claims()
  expect(claims).toMatchObject({ amr: ['pwd'], acr: 'urn:latchkey:pwd' })
})

test('UXC-15 with prompt=create a new user registers by keyboard, and is offered a passkey before the app', async ({
  userPage: page,
  latchkey,
  app,
}) => {
  const authenticator = await addAuthenticator(page)
  await authenticator.setPresence(true)
  const parameters = { prompt: 'create' }
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, parameters })
  await page.goto(request.url.href)
  await expect(page.getByLabel('Email')).toBeFocused()
  for (const text of ['otto@example.org', 'otto', 'Otto Newcomer', '']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your mail')
  await page.goto(await newestLink(latchkey.issuer, '/login/register/confirm', 'otto@example.org'))
  await expect(page.locator('[data-creates-passkeys]')).toHaveValue('yes')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in faster next time' })).toBeVisible()
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await finish(request, await app.arrival())
})
