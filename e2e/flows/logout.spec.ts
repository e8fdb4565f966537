import * as oidc from 'openid-client'
import { expect, signIn, test } from '../fixtures/browser.ts'
import { alice } from '../fixtures/configuration.ts'
import { finish, newSignInRequest } from '../fixtures/sign-in-request.ts'

test('LO-01 sign-out with a hint redirects to the app with the state', async ({ person, latchkey, app }) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await person.goto(request.url.href)
  await signIn(person)
  const tokens = await finish(request, await app.arrival())
  const url = oidc.buildEndSessionUrl(request.config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: `${app.origin}/signed-out`,
    state: 'after-logout',
  })
  await person.goto(url.href)
  if (new URL(person.url()).origin === latchkey.issuer)
    await person.getByRole('link', { name: /trusted web app|back|return|continue/i }).click()
  await expect(person.getByRole('heading', { name: 'Signed out of the app' })).toBeVisible()
  expect(new URL(person.url()).searchParams.get('state')).toBe('after-logout')
  await person.goto(`${latchkey.issuer}/account`)
  await expect(person.getByLabel(/^password$/i)).toBeVisible()
})

test('LO-01 LO-03 sign-out without a hint asks first, then confirms it', async ({
  person,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await person.goto(request.url.href)
  await signIn(person)
  await finish(request, await app.arrival())
  await person.goto(`${latchkey.issuer}/connect/endsession`)
  await person.getByRole('button', { name: /sign out/i }).click()
  await expect(person.getByRole('heading', { name: /signed out/i })).toBeVisible()
  await person.goto(`${latchkey.issuer}/account`)
  await expect(person.getByText(alice.name)).toHaveCount(0)
})
