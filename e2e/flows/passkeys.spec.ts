import type { Page } from 'playwright/test'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { newUser } from '../fixtures/browser/new-user.ts'
import { addAuthenticator } from '../fixtures/browser/virtual-authenticator.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'
import { petra } from '../fixtures/server/configuration.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Makes the browser one that offers passkeys only by a button. */
async function withoutOffersInFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}

test('MF-05 MF-06 the button signs in with a passkey, through the whole code flow', async ({
  userPage,
  latchkey,
  app,
}) => {
  await withoutOffersInFields(userPage)
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  await authenticator.setPresence(true)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await userPage.getByLabel(/keep me signed in/i).check()
  await passkeyButton(userPage).dblclick()
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()).toMatchObject({ sub: petra.sub, amr: ['hwk', 'user', 'mfa'] })
  const cookies = await userPage.context().cookies(latchkey.issuer)
  expect(cookies.find(({ name }) => name === 'latchkey_session')?.expires).toBeGreaterThan(0)
})

test('MF-05 the user name field offers the passkey, without a press of the button', async ({
  userPage,
  latchkey,
  app,
}) => {
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  await authenticator.setPresence(true)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.sub).toBe(petra.sub)
})

test('MF-05 a page that stays open replaces its challenge before it expires', async ({
  userPage,
  latchkey,
  app,
}) => {
  let challenges = 0
  userPage.on('request', asked => {
    if (asked.url().endsWith('/login/passkey/options')) challenges += 1
  })
  await userPage.clock.install()
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  const renew = async () => {
    await userPage.clock.fastForward(241_000)
    return challenges
  }
  await expect.poll(renew).toBeGreaterThan(2)
  await authenticator.setPresence(true)
  await renew()
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.sub).toBe(petra.sub)
})

test('UXC-01 without script there is no button, and the password works while passkeys are offered', async ({
  userPage,
  withoutScript,
  latchkey,
  app,
}) => {
  await withoutScript.goto(`${latchkey.issuer}/login`)
  await expect(withoutScript.getByLabel(/user ?name/i)).toBeVisible()
  await expect(passkeyButton(withoutScript)).toBeHidden()
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await expect(passkeyButton(userPage)).toBeVisible()
  await signIn(userPage, petra)
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.amr).toEqual(['pwd'])
})

test('a canceled passkey is not an error: a polite sentence names the other ways, and the next press works', async ({
  userPage,
  latchkey,
  app,
}) => {
  await withoutOffersInFields(userPage)
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  await authenticator.setVerified(false)
  await authenticator.setPresence(true)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await passkeyButton(userPage).click()
  await expect(passkeyButton(userPage)).not.toHaveAttribute('aria-busy')
  await expect(userPage.getByText(/didn’t work/)).toBeHidden()
  const outcome = userPage.locator('form[data-passkey] [aria-live=polite]')
  await expect(outcome).toHaveText('No passkey was used. Try again or choose another way to sign in.')
  await authenticator.setVerified(true)
  await passkeyButton(userPage).click()
  await finish(request, await app.arrival())
})

test('a failure before the browser asks shows a sentence, and the next press works', async ({
  userPage,
  latchkey,
  app,
}) => {
  await withoutOffersInFields(userPage)
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  await authenticator.setPresence(true)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  const options = '**/login/passkey/options'
  await userPage.route(options, route => route.fulfill({ status: 204 }))
  await passkeyButton(userPage).click()
  await expect(userPage.getByRole('alert')).toHaveText(/That passkey didn’t work/)
  await userPage.unroute(options)
  await passkeyButton(userPage).click()
  await finish(request, await app.arrival())
})

test('a refused passkey leads back to the page, on which the password works', async ({
  userPage,
  latchkey,
  app,
}) => {
  await withoutOffersInFields(userPage)
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, 'mallory-0003')
  await authenticator.setPresence(true)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await passkeyButton(userPage).click()
  await expect(userPage.locator('#problem')).toHaveText(/That passkey didn’t work/)
  await signIn(userPage, petra)
  await finish(request, await app.arrival())
})

test('credential managers learn of a passkey that the server no longer has, and not of one of a locked user', async ({
  userPage,
  latchkey,
}) => {
  await withoutOffersInFields(userPage)
  await userPage.addInitScript(() => {
    const signalUnknownCredential = (data: object) => {
      sessionStorage.setItem('unknown', JSON.stringify(data))
      return Promise.resolve()
    }
    Object.assign(PublicKeyCredential, { signalUnknownCredential })
  })
  const signaled = () => userPage.evaluate(() => sessionStorage.getItem('unknown'))
  const refuse = async () => {
    await userPage.goto(`${latchkey.issuer}/login`)
    await passkeyButton(userPage).click()
    await expect(userPage.locator('#problem')).toHaveText(/That passkey didn’t work/)
  }
  const authenticator = await addAuthenticator(userPage)
  const { sub: subject } = await newUser(latchkey)
  await authenticator.addPasskeyOf(latchkey, subject)
  await authenticator.setPresence(true)
  await onTablesOf(latchkey, tables => tables.user.update({ where: { subject }, data: { enabled: false } }))
  await refuse()
  expect(await signaled()).toBeNull()
  const removed = await onTablesOf(latchkey, async tables => {
    const passkey = await tables.passkey.findFirst({ where: { subject } })
    await tables.passkey.deleteMany({ where: { subject } })
    return passkey
  })
  await refuse()
  const rpId = new URL(latchkey.issuer).hostname
  expect(JSON.parse((await signaled()) ?? 'null')).toEqual({ rpId, credentialId: removed?.id })
})

test('MF-05 passkeys work in two tabs that were opened together, and after going back', async ({
  userPage,
  latchkey,
}) => {
  const other = await userPage.context().newPage()
  for (const page of [userPage, other]) {
    await withoutOffersInFields(page)
    const authenticator = await addAuthenticator(page)
    await authenticator.addPasskeyOf(latchkey, petra.sub)
    await authenticator.setPresence(true)
  }
  await Promise.all([userPage.goto(`${latchkey.issuer}/login`), other.goto(`${latchkey.issuer}/login`)])
  await Promise.all([passkeyButton(userPage).click(), passkeyButton(other).click()])
  for (const page of [userPage, other]) await page.waitForURL(/\/account$/)
  await userPage.goBack()
  await userPage.goto(`${latchkey.issuer}/login?account=other`)
  await passkeyButton(userPage).click()
  await userPage.waitForURL(/\/account$/)
  await other.close()
})

test('MF-06 UXC-01 after the password a passkey proves the second factor that the app asks for', async ({
  userPage,
  withoutScript,
  latchkey,
  app,
}) => {
  const parameters = { acr_values: 'urn:latchkey:passkey' }
  const authenticator = await addAuthenticator(userPage)
  await authenticator.addPasskeyOf(latchkey, petra.sub)
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, parameters })
  await userPage.goto(request.url.href)
  await signIn(userPage, petra)
  await expect(userPage.getByRole('heading', { level: 1 })).toContainText('Use your passkey')
  await expect(userPage.getByText(/can’t use passkeys/)).toBeHidden()
  await authenticator.setPresence(true)
  await userPage.getByRole('button', { name: 'Use passkey' }).click()
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()).toMatchObject({
    acr: 'urn:latchkey:passkey',
    amr: ['pwd', 'hwk', 'user', 'mfa'],
  })
  const again = await newSignInRequest({ issuer: latchkey.issuer, app, parameters })
  await withoutScript.goto(again.url.href)
  await signIn(withoutScript, petra)
  await expect(withoutScript.getByText(/can’t use passkeys/)).toBeVisible()
  await expect(withoutScript.getByText(/^Lost your passkey\?/)).toBeVisible()
  await withoutScript.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(withoutScript.getByLabel(/^password$/i)).toBeVisible()
})
