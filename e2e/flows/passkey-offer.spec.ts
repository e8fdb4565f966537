import type { Page } from 'playwright/test'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { newUser } from '../fixtures/browser/new-user.ts'
import { addAuthenticator } from '../fixtures/browser/virtual-authenticator.ts'
import type { Credentials } from '../fixtures/dashboard/administrator.ts'
import type { RelyingParty } from '../fixtures/requests/relying-party.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'
import type { Latchkey } from '../fixtures/server/latchkey.ts'

type Place = { readonly latchkey: Latchkey; readonly app: RelyingParty }

const offer = (page: Page) => page.getByRole('heading', { name: 'Sign in faster next time' })

/** Signs in with the password for a new request of the app. */
async function requestAs(page: Page, { latchkey, app }: Place, user: Credentials) {
  await page.context().clearCookies()
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await page.goto(request.url.href)
  await expect(page.locator('[data-creates-passkeys]')).toHaveValue('yes')
  await signIn(page, user)
  return request
}

test('MF-05 a passkey that is offered after a sign-in is created, and the app gets its code', async ({
  userPage,
  latchkey,
  app,
}) => {
  const authenticator = await addAuthenticator(userPage)
  await authenticator.setPresence(true)
  const user = await newUser(latchkey)
  const request = await requestAs(userPage, { latchkey, app }, user)
  await expect(offer(userPage)).toBeVisible()
  await userPage.getByRole('button', { name: 'Create a passkey' }).click()
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.amr).toEqual(['pwd'])
  // The browser may still be on its way to the app
  await userPage.waitForURL(/\/callback/)
  await userPage.goto(`${latchkey.issuer}/account/passkeys`)
  await expect(userPage.getByRole('heading', { level: 3 })).toHaveText(/^Chrome on /)
})

test('an offer that is put off continues to the app, and is not repeated at the next sign-in', async ({
  userPage,
  latchkey,
  app,
}) => {
  await addAuthenticator(userPage)
  const user = await newUser(latchkey)
  const first = await requestAs(userPage, { latchkey, app }, user)
  await userPage.getByRole('link', { name: 'Not now' }).click()
  await finish(first, await app.arrival())
  const second = await requestAs(userPage, { latchkey, app }, user)
  await finish(second, await app.arrival())
})

test('a refused offer continues to the app, and leaving the page out does, too', async ({
  userPage,
  latchkey,
  app,
}) => {
  await addAuthenticator(userPage)
  const refusing = await newUser(latchkey)
  const first = await requestAs(userPage, { latchkey, app }, refusing)
  await userPage.getByRole('button', { name: 'Don’t ask me again' }).click()
  await finish(first, await app.arrival())
  const second = await requestAs(userPage, { latchkey, app }, await newUser(latchkey))
  await expect(offer(userPage)).toBeVisible()
  await userPage.goto(second.url.href)
  await finish(second, await app.arrival())
})
