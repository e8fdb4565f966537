import * as oidc from 'openid-client'
import { allow, expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest, silently } from '../fixtures/requests/sign-in-request.ts'
import { alice } from '../fixtures/server/configuration.ts'

test('the code flow with PKCE and consent, then userinfo, refresh and rotation', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'web' })
  await userPage.goto(request.url.href)
  await expect(userPage.getByRole('heading', { level: 1 })).toContainText(/sign in/i)
  await expect(userPage.getByText('Harbour Ledger').first()).toBeVisible()
  await signIn(userPage)
  await expect(userPage.getByText('Ledger entries')).toBeVisible()
  await allow(userPage)
  await expect(userPage.getByRole('heading', { name: 'Back at the app' })).toBeVisible()
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()).toMatchObject({ sub: alice.sub, nonce: request.nonce, aud: 'web' })
  const profile = await oidc.fetchUserInfo(request.config, tokens.access_token, alice.sub)
  expect(profile).toMatchObject({ sub: alice.sub, name: alice.name })
  const second = await oidc.refreshTokenGrant(request.config, tokens.refresh_token ?? '')
  expect(second.refresh_token).not.toBe(tokens.refresh_token)
  const third = await oidc.refreshTokenGrant(request.config, second.refresh_token ?? '')
  expect(third.claims()?.sub).toBe(alice.sub)
  await expect(oidc.refreshTokenGrant(request.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('UXC-01 the code flow works with JavaScript off', async ({ withoutScript, latchkey, app }) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'web',
    parameters: { prompt: 'consent' },
  })
  await withoutScript.goto(request.url.href)
  await signIn(withoutScript)
  await allow(withoutScript)
  await expect(withoutScript.getByRole('heading', { name: 'Back at the app' })).toBeVisible()
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.sub).toBe(alice.sub)
})

test('a wrong password is reported in the form, which keeps the user name, and the right one continues', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await signIn(userPage, { username: alice.username, password: 'wrong' })
  await expect(userPage.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
  await expect(userPage.getByLabel(/user ?name/i)).toHaveValue(alice.username)
  await expect(userPage.getByLabel(/^password$/i)).toHaveValue('')
  await signIn(userPage)
  await finish(request, await app.arrival())
})

for (const script of [true, false]) {
  test(`AZ-10 form_post ${script ? 'with' : 'without'} JavaScript`, async ({
    userPage,
    withoutScript,
    latchkey,
    app,
  }) => {
    const page = script ? userPage : withoutScript
    const request = await newSignInRequest({
      issuer: latchkey.issuer,
      app,
      parameters: { response_mode: 'form_post' },
    })
    await page.goto(request.url.href)
    await signIn(page)
    if (!script) await page.getByRole('button').click()
    await expect(page.getByRole('heading', { name: 'Back at the app' })).toBeVisible()
    const arrival = await app.arrival()
    expect(arrival.mode).toBe('form_post')
    const tokens = await finish(request, arrival)
    expect(tokens.claims()?.sub).toBe(alice.sub)
  })
}

test('CN-06 denied consent returns access_denied and stores nothing', async ({ userPage, latchkey, app }) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'web',
    parameters: { prompt: 'consent' },
  })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  await userPage.getByRole('button', { name: /deny|cancel|don.t allow/i }).click()
  const { parameters } = await app.arrival()
  expect(parameters.get('error')).toBe('access_denied')
  expect(parameters.get('state')).toBe(request.state)
  expect(parameters.get('iss')).toBe(latchkey.issuer)
})

test('CN-02 remembered consent is not asked again, but a new permission is', async ({
  userPage,
  latchkey,
  app,
}) => {
  const asked = { issuer: latchkey.issuer, app, clientId: 'web', parameters: { scope: 'openid profile' } }
  const first = await newSignInRequest({
    ...asked,
    parameters: { scope: 'openid profile', prompt: 'consent' },
  })
  await userPage.goto(first.url.href)
  await signIn(userPage)
  await userPage.getByRole('checkbox', { name: /don.t ask again/i }).check()
  await allow(userPage)
  await finish(first, await app.arrival())
  await silently(userPage, asked)
  const more = await newSignInRequest({ ...asked, parameters: { scope: 'openid profile email' } })
  await userPage.goto(more.url.href)
  await expect(userPage.getByRole('button', { name: /^allow/i })).toBeVisible()
})

test('CN-05 an optional permission can be deselected, a required one cannot', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'web',
    parameters: { scope: 'openid profile api', prompt: 'consent' },
  })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  await userPage.getByRole('checkbox', { name: /ledger entries/i }).uncheck()
  await allow(userPage)
  const tokens = await finish(request, await app.arrival())
  expect(tokens.scope?.split(' ').toSorted()).toEqual(['openid', 'profile'])
})

test('a public native app uses the code flow with PKCE and no secret', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'public', isPublic: true })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  await allow(userPage)
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.aud).toBe('public')
})
