import * as oidc from 'openid-client'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'
import { alice } from '../fixtures/server/configuration.ts'

test('LO-01 sign-out with a hint redirects to the app with the state', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  const tokens = await finish(request, await app.arrival())
  const url = oidc.buildEndSessionUrl(request.config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: `${app.origin}/signed-out`,
    state: 'after-logout',
  })
  await userPage.goto(url.href)
  if (new URL(userPage.url()).origin === latchkey.issuer)
    await userPage.getByRole('link', { name: /trusted web app|back|return|continue/i }).click()
  await expect(userPage.getByRole('heading', { name: 'Signed out of the app' })).toBeVisible()
  expect(new URL(userPage.url()).searchParams.get('state')).toBe('after-logout')
  await userPage.goto(`${latchkey.issuer}/account`)
  await expect(userPage.getByLabel(/^password$/i)).toBeVisible()
})

test('LO-01 LO-03 sign-out without a hint asks first, then confirms it', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await signIn(userPage)
  await finish(request, await app.arrival())
  await userPage.goto(`${latchkey.issuer}/connect/endsession`)
  await userPage.getByRole('button', { name: /sign out/i }).click()
  await expect(userPage.getByRole('heading', { name: /signed out/i })).toBeVisible()
  await userPage.goto(`${latchkey.issuer}/account`)
  await expect(userPage.getByText(alice.name)).toHaveCount(0)
})
