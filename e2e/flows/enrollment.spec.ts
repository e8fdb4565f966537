/** Tests how users set up a factor that an app requires, in the middle of the sign-in. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/browser/browser.ts'
import { askCarefully } from '../fixtures/browser/enrollment-screens.ts'
import { newUser } from '../fixtures/browser/new-user.ts'
import { codesOnPage, setUpApp } from '../fixtures/browser/two-step-screens.ts'
import { addAuthenticator } from '../fixtures/browser/virtual-authenticator.ts'
import { finish } from '../fixtures/requests/sign-in-request.ts'

const createPasskey = (page: Page) => page.getByRole('button', { name: 'Create a passkey' })

test('UXC-01 MF-06 without script a user sets up an authenticator app on the way to an app that requires two factors', async ({
  withoutScript: page,
  latchkey,
  app,
}) => {
  const user = await newUser(latchkey)
  const asked = await askCarefully(page, { latchkey, app }, { user })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more way to show it’s you')
  await expect(createPasskey(page)).toBeHidden()
  const code = await codesOnPage(page)
  await page.getByLabel(/code that the app shows/).fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toHaveText(/isn’t right/)
  await page.getByLabel(/code that the app shows/).fill(code())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
  await expect(page.locator('#codes code')).toHaveCount(10)
  await page.getByRole('button', { name: 'I saved these codes' }).click()
  const claims = (await finish(asked, await app.arrival())).claims()
  expect(claims).toMatchObject({ sub: user.sub, acr: 'urn:latchkey:mfa', amr: ['pwd', 'otp', 'mfa'] })
})

test('MF-06 a user creates a passkey on the way to an app that requires one, after a canceled attempt', async ({
  userPage: page,
  latchkey,
  app,
}) => {
  const user = await newUser(latchkey)
  const authenticator = await addAuthenticator(page)
  await authenticator.setVerified(false)
  await authenticator.setPresence(true)
  const asked = await askCarefully(page, { latchkey, app }, { user, parameters: { acr_values: 'phr' } })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a passkey')
  await expect(page.getByText(`Signing in as ${user.username}`)).toBeVisible()
  await expect(page.getByLabel(/code that the app shows/)).toHaveCount(0)
  await createPasskey(page).click()
  await expect(createPasskey(page)).not.toHaveAttribute('aria-busy')
  await expect(page.getByText('No passkey was created. Try again.')).toBeVisible()
  await authenticator.setVerified(true)
  await createPasskey(page).click()
  const claims = (await finish(asked, await app.arrival())).claims()
  expect(claims).toMatchObject({ sub: user.sub, acr: 'phr', amr: ['pwd', 'hwk', 'user', 'mfa'] })
})

test('MF-04 MF-06 a user with a weaker factor proves it before the page for a passkey', async ({
  userPage: page,
  latchkey,
  app,
}) => {
  const user = await setUpApp(page, latchkey)
  await page.context().clearCookies()
  const authenticator = await addAuthenticator(page)
  await authenticator.setPresence(true)
  const asked = await askCarefully(page, { latchkey, app }, { user, parameters: { acr_values: 'phr' } })
  await expect(createPasskey(page)).toHaveCount(0)
  await page.getByLabel('Code').fill(user.code())
  await page.keyboard.press('Enter')
  await createPasskey(page).click()
  const claims = (await finish(asked, await app.arrival())).claims()
  expect(claims).toMatchObject({ sub: user.sub, acr: 'phr' })
})

test('UXC-01 a user who does not set a factor up returns to the app, and is not signed in', async ({
  withoutScript: page,
  latchkey,
  app,
}) => {
  await askCarefully(page, { latchkey, app }, { user: await newUser(latchkey) })
  await page.getByRole('button', { name: /Careful App/ }).click()
  const { parameters } = await app.arrival()
  expect(parameters.get('error')).toBe('access_denied')
  await page.goto(`${latchkey.issuer}/account`)
  await expect(page).toHaveURL(/\/login/)
})

test('UXC-01 without script the page that requires a passkey says so, and leads back', async ({
  withoutScript: page,
  latchkey,
  app,
}) => {
  const user = await newUser(latchkey)
  await askCarefully(page, { latchkey, app }, { user, parameters: { acr_values: 'phr' } })
  await expect(page.getByText(/Turn on JavaScript/)).toBeVisible()
  await expect(createPasskey(page)).toBeHidden()
  await expect(page.getByRole('button', { name: /Careful App/ })).toBeVisible()
})
