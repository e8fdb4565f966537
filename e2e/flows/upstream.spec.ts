import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest, silently } from '../fixtures/requests/sign-in-request.ts'
import { ursula } from '../fixtures/server/configuration.ts'

test('acr_values idp: redirects to the provider and creates a separate account', async ({
  userPage,
  latchkey,
  upstream,
  app,
}) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    parameters: { acr_values: 'idp:upstream' },
  })
  await userPage.goto(request.url.href)
  await expect(userPage).toHaveURL(url => url.origin === upstream.issuer)
  await signIn(userPage, ursula)
  const claims = (await finish(request, await app.arrival())).claims()
  expect(claims?.idp).toBe('upstream')
  expect(claims?.amr).toEqual(['external'])
  expect(claims?.sub).not.toBe('ursula-9001')
  const again = await silently(userPage, {
    issuer: latchkey.issuer,
    app,
    parameters: { acr_values: 'idp:upstream', prompt: 'none' },
  })
  expect(again.claims()?.sub).toBe(claims?.sub)
})

test('FD-01 the same user has different accounts for different providers', async ({
  userPage,
  browser,
  latchkey,
  app,
}) => {
  const subjects: (string | undefined)[] = []
  for (const scheme of ['upstream', 'second']) {
    const context = scheme === 'upstream' ? userPage.context() : await browser.newContext()
    const page = scheme === 'upstream' ? userPage : await context.newPage()
    const request = await newSignInRequest({
      issuer: latchkey.issuer,
      app,
      parameters: { acr_values: `idp:${scheme}` },
    })
    await page.goto(request.url.href)
    await signIn(page, ursula)
    subjects.push((await finish(request, await app.arrival())).claims()?.sub)
  }
  expect(subjects[0]).not.toBe(subjects[1])
})

test('the home-realm page lists providers and finds one by email address', async ({
  userPage,
  latchkey,
  upstream,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  await userPage.goto(`${latchkey.issuer}/login/providers${new URL(userPage.url()).search}`)
  await expect(userPage.getByText('Upstream House')).toBeVisible()
  await expect(userPage.getByText('Closed Door')).toHaveCount(0)
  await userPage.getByLabel(/e-?mail/i).fill('ursula@upstream.example')
  await userPage.keyboard.press('Enter')
  await expect(userPage).toHaveURL(url => url.origin === upstream.issuer)
  await signIn(userPage, ursula)
  expect((await finish(request, await app.arrival())).claims()?.idp).toBe('upstream')
})

test('a client without local sign-in offers only its provider', async ({
  userPage,
  latchkey,
  upstream,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'federated' })
  await userPage.goto(request.url.href)
  if (new URL(userPage.url()).origin === latchkey.issuer) {
    await expect(userPage.getByLabel(/^password$/i)).toHaveCount(0)
    await expect(userPage.getByText('Second Door')).toHaveCount(0)
    await userPage
      .getByRole('link', { name: /upstream house/i })
      .or(userPage.getByRole('button', { name: /upstream house/i }))
      .click()
  }
  await expect(userPage).toHaveURL(url => url.origin === upstream.issuer)
  await signIn(userPage, ursula)
  expect((await finish(request, await app.arrival())).claims()?.idp).toBe('upstream')
})

test('FD-04 a callback works once, and text of the provider is not shown', async ({
  userPage,
  latchkey,
  app,
}) => {
  const callbacks: string[] = []
  userPage.on('request', seen => {
    if (seen.url().includes('/login/external/upstream/callback')) callbacks.push(seen.url())
  })
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    parameters: { acr_values: 'idp:upstream' },
  })
  await userPage.goto(request.url.href)
  await signIn(userPage, ursula)
  await finish(request, await app.arrival())
  const [callback = ''] = callbacks
  await userPage.goto(callback)
  await expect(userPage.getByRole('heading', { level: 1 })).toHaveText('You’re signed in')
  expect(userPage.url(), 'no second code is sent to the app').not.toContain(app.origin)
  const error = '?error=access_denied&error_description=Call+0800+EVIL&state=nonsense'
  await userPage.goto(`${latchkey.issuer}/login/external/upstream/callback${error}`)
  await expect(userPage.getByText('EVIL')).toHaveCount(0)
})
