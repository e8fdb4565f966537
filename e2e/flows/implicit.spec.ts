import { createHash } from 'node:crypto'
import * as oidc from 'openid-client'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { decode, isSignedBy } from '../fixtures/requests/jwt.ts'
import { newSignInRequest } from '../fixtures/requests/sign-in-request.ts'
import { alice } from '../fixtures/server/configuration.ts'

test('response_type id_token token responds in the fragment with correct at_hash, nonce and signature', async ({
  userPage,
  latchkey,
  app,
}) => {
  const parameters = { response_type: 'id_token token', scope: 'openid profile api' }
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'spa',
    isPublic: true,
    parameters,
  })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  const arrival = await app.arrival()
  expect(arrival.mode).toBe('fragment')
  const fields = arrival.parameters
  expect(fields.get('state')).toBe(request.state)
  expect(fields.get('iss')).toBe(latchkey.issuer)
  expect(fields.get('token_type')).toBe('Bearer')
  expect(fields.get('refresh_token')).toBeNull()
  const [idToken, accessToken] = [fields.get('id_token') ?? '', fields.get('access_token') ?? '']
  const { keys } = await (await fetch(`${latchkey.issuer}/.well-known/jwks`)).json()
  expect(isSignedBy(idToken, keys)).toBe(true)
  const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
  expect(decode(idToken).payload).toMatchObject({
    sub: alice.sub,
    nonce: request.nonce,
    aud: 'spa',
    at_hash: half,
  })
  const profile = await oidc.fetchUserInfo(request.config, accessToken, alice.sub)
  expect(profile.name).toBe(alice.name)
})

test('response_type id_token satisfies openid-client and contains the claims of the scopes', async ({
  userPage,
  latchkey,
  app,
}) => {
  const parameters = { response_type: 'id_token', scope: 'openid profile' }
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'spa',
    isPublic: true,
    parameters,
  })
  oidc.useIdTokenResponseType(request.config)
  await userPage.goto(request.url.href)
  await signIn(userPage)
  const { current } = await app.arrival()
  const claims = await oidc.implicitAuthentication(request.config, current, request.nonce, {
    expectedState: request.state,
  })
  expect(claims).toMatchObject({ sub: alice.sub, name: alice.name })
})

test('response_type id_token token works with form_post', async ({ userPage, latchkey, app }) => {
  const parameters = { response_type: 'id_token token', scope: 'openid api', response_mode: 'form_post' }
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    clientId: 'spa',
    isPublic: true,
    parameters,
  })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  const arrival = await app.arrival()
  expect(arrival.mode).toBe('form_post')
  expect(arrival.parameters.get('access_token')).toBeTruthy()
})
