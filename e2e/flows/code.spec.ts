import * as oidc from 'openid-client'
import { allow, expect, signIn, test } from '../fixtures/browser.ts'
import { alice } from '../fixtures/configuration.ts'
import { finish, newSignInRequest, silently } from '../fixtures/sign-in-request.ts'

test('the code flow with PKCE and consent, then userinfo, refresh and rotation', async ({
  person,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'web' })
  await person.goto(request.url.href)
  await expect(person.getByRole('heading', { level: 1 })).toContainText(/sign in/i)
  await expect(person.getByText('Harbour Ledger').first()).toBeVisible()
  await signIn(person)
  await expect(person.getByText('Ledger entries')).toBeVisible()
  await allow(person)
  await expect(person.getByRole('heading', { name: 'Back at the app' })).toBeVisible()
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
  person,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await person.goto(request.url.href)
  await signIn(person, { username: alice.username, password: 'wrong' })
  await expect(person.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
  await expect(person.getByLabel(/user ?name/i)).toHaveValue(alice.username)
  await expect(person.getByLabel(/^password$/i)).toHaveValue('')
  await signIn(person)
  await finish(request, await app.arrival())
})

for (const script of [true, false]) {
  test(`AZ-10 form_post ${script ? 'with' : 'without'} JavaScript`, async ({
    person,
    withoutScript,
    latchkey,
    app,
  }) => {
    const page = script ? person : withoutScript
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

test('CN-06 denied consent returns access_denied and stores nothing', async ({ person, latchkey, app }) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'web',
    parameters: { prompt: 'consent' },
  })
  await person.goto(request.url.href)
  await signIn(person)
  await person.getByRole('button', { name: /deny|cancel|don.t allow/i }).click()
  const { parameters } = await app.arrival()
  expect(parameters.get('error')).toBe('access_denied')
  expect(parameters.get('state')).toBe(request.state)
  expect(parameters.get('iss')).toBe(latchkey.issuer)
})

test('CN-02 remembered consent is not asked again, but a new permission is', async ({
  person,
  latchkey,
  app,
}) => {
  const asked = { issuer: latchkey.issuer, app, clientId: 'web', parameters: { scope: 'openid profile' } }
  const first = await newSignInRequest({
    ...asked,
    parameters: { scope: 'openid profile', prompt: 'consent' },
  })
  await person.goto(first.url.href)
  await signIn(person)
  await person.getByRole('checkbox', { name: /don.t ask again/i }).check()
  await allow(person)
  await finish(first, await app.arrival())
  await silently(person, asked)
  const more = await newSignInRequest({ ...asked, parameters: { scope: 'openid profile email' } })
  await person.goto(more.url.href)
  await expect(person.getByRole('button', { name: /^allow/i })).toBeVisible()
})

test('CN-05 an optional permission can be deselected, a required one cannot', async ({
  person,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'web',
    parameters: { scope: 'openid profile api', prompt: 'consent' },
  })
  await person.goto(request.url.href)
  await signIn(person)
  await person.getByRole('checkbox', { name: /ledger entries/i }).uncheck()
  await allow(person)
  const tokens = await finish(request, await app.arrival())
  expect(tokens.scope?.split(' ').toSorted()).toEqual(['openid', 'profile'])
})

test('a public native app uses the code flow with PKCE and no secret', async ({ person, latchkey, app }) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'public', isPublic: true })
  await person.goto(request.url.href)
  await signIn(person)
  await allow(person)
  const tokens = await finish(request, await app.arrival())
  expect(tokens.claims()?.aud).toBe('public')
})
