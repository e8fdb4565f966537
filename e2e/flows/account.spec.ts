import * as oidc from 'openid-client'
import { allow, expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'
import { bob } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'

test('CN-07 the account page lists the app, and removing its access revokes its tokens', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'web' })
  await userPage.goto(request.url.href)
  await signIn(userPage, bob)
  await allow(userPage)
  const tokens = await finish(request, await app.arrival())
  await userPage.goto(`${latchkey.issuer}/account`)
  await expect(userPage.getByText('Harbour Ledger').first()).toBeVisible()
  await userPage.getByText('Remove access', { exact: true }).click()
  await expect(userPage.getByText('The app loses access immediately')).toBeVisible()
  await userPage.getByRole('button', { name: /^Remove access for / }).click()
  await expect(userPage.getByRole('heading', { name: 'Harbour Ledger', exact: true })).toHaveCount(0)
  await expect(oidc.fetchUserInfo(request.config, tokens.access_token, bob.sub)).rejects.toThrow()
  await expect(oidc.refreshTokenGrant(request.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('CN-07 a permission that the user clears on the account page is removed from the app', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'web' })
  await userPage.goto(request.url.href)
  await signIn(userPage, bob)
  await allow(userPage)
  const tokens = await finish(request, await app.arrival())
  await userPage.goto(`${latchkey.issuer}/account`)
  await userPage.getByText('Change permissions', { exact: true }).click()
  await expect(userPage.getByText('Access that includes it ends immediately')).toBeVisible()
  await userPage.getByRole('group', { name: /may:$/ }).getByLabel('See your name and profile').uncheck()
  await userPage.getByRole('button', { name: 'Save permissions' }).click()
  await expect(userPage.getByRole('status')).toHaveText(
    'The app no longer has the permissions that you cleared.',
  )
  await expect(oidc.fetchUserInfo(request.config, tokens.access_token, bob.sub)).rejects.toThrow()
  await userPage.goto((await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'web' })).url.href)
  await expect(userPage.getByLabel('See your name and profile')).toBeVisible()
})

test('A20 times on the account page are in the order of the reader’s country', async ({
  userPage,
  latchkey,
}) => {
  await userPage.goto(`${latchkey.issuer}/account`)
  await signIn(userPage, bob)
  await expect(userPage.locator('time').first()).toHaveText(/^\d{1,2} \w+ 20\d\d/)
})

test('SE-05 a remembered session outlives the browser', async ({ browser, latchkey, app }) => {
  for (const remember of [true, false]) {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    const request = await newSignInRequest({ issuer: latchkey.issuer, app })
    await page.goto(request.url.href)
    if (remember) await page.getByLabel(/keep me|remember|stay/i).check()
    await signIn(page)
    await finish(request, await app.arrival())
    const kept = (await context.cookies(latchkey.issuer)).filter(cookie => cookie.expires > 0)
    expect(kept.some(cookie => cookie.name.includes('session'))).toBe(remember)
    await context.close()
  }
})

test('LG-05 the error page shows the request ID of the header and the log', async ({ page, latchkey }) => {
  const answer = await page.goto(
    `${latchkey.issuer}/connect/authorize?client_id=unknown&redirect_uri=https://x.test/`,
  )
  expect(answer?.status()).toBe(400)
  const reference = answer?.headers()['x-reference-id'] ?? ''
  expect(reference).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  await expect(page.getByText(reference)).toBeVisible()
  expect(await logged(latchkey, reference)).toContain(reference)
})
