import { expect, signIn, test } from '../fixtures/browser.ts'
import { ursula } from '../fixtures/configuration.ts'
import { finish, newSignInRequest, silently } from '../fixtures/sign-in-request.ts'

test('acr_values idp: redirects to the provider and creates a separate account', async ({
  person,
  latchkey,
  upstream,
  app,
}) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    parameters: { acr_values: 'idp:upstream' },
  })
  await person.goto(request.url.href)
  await expect(person).toHaveURL(url => url.origin === upstream.issuer)
  await signIn(person, ursula)
  const claims = (await finish(request, await app.arrival())).claims()
  expect(claims?.idp).toBe('upstream')
  expect(claims?.amr).toEqual(['external'])
  expect(claims?.sub).not.toBe('ursula-9001')
  const again = await silently(person, {
    issuer: latchkey.issuer,
    app,
    parameters: { acr_values: 'idp:upstream', prompt: 'none' },
  })
  expect(again.claims()?.sub).toBe(claims?.sub)
})

test('FD-01 the same person has different accounts for different providers', async ({
  person,
  browser,
  latchkey,
  app,
}) => {
  const subjects: (string | undefined)[] = []
  for (const scheme of ['upstream', 'second']) {
    const context = scheme === 'upstream' ? person.context() : await browser.newContext()
    const page = scheme === 'upstream' ? person : await context.newPage()
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
  person,
  latchkey,
  upstream,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await person.goto(request.url.href)
  await person.goto(`${latchkey.issuer}/login/providers${new URL(person.url()).search}`)
  await expect(person.getByText('Upstream House')).toBeVisible()
  await expect(person.getByText('Closed Door')).toHaveCount(0)
  await person.getByLabel(/e-?mail/i).fill('ursula@upstream.example')
  await person.keyboard.press('Enter')
  await expect(person).toHaveURL(url => url.origin === upstream.issuer)
  await signIn(person, ursula)
  expect((await finish(request, await app.arrival())).claims()?.idp).toBe('upstream')
})

test('a client without local sign-in offers only its provider', async ({
  person,
  latchkey,
  upstream,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'federated' })
  await person.goto(request.url.href)
  if (new URL(person.url()).origin === latchkey.issuer) {
    await expect(person.getByLabel(/^password$/i)).toHaveCount(0)
    await expect(person.getByText('Second Door')).toHaveCount(0)
    await person
      .getByRole('link', { name: /upstream house/i })
      .or(person.getByRole('button', { name: /upstream house/i }))
      .click()
  }
  await expect(person).toHaveURL(url => url.origin === upstream.issuer)
  await signIn(person, ursula)
  expect((await finish(request, await app.arrival())).claims()?.idp).toBe('upstream')
})

test('FD-04 a callback works once, and text of the provider is not shown', async ({
  person,
  latchkey,
  app,
}) => {
  const callbacks: string[] = []
  person.on('request', seen => {
    if (seen.url().includes('/login/external/upstream/callback')) callbacks.push(seen.url())
  })
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    parameters: { acr_values: 'idp:upstream' },
  })
  await person.goto(request.url.href)
  await signIn(person, ursula)
  await finish(request, await app.arrival())
  const [callback = ''] = callbacks
  const again = await person.goto(callback)
  expect(again?.status()).toBeGreaterThanOrEqual(400)
  const error = '?error=access_denied&error_description=Call+0800+EVIL&state=nonsense'
  await person.goto(`${latchkey.issuer}/login/external/upstream/callback${error}`)
  await expect(person.getByText('EVIL')).toHaveCount(0)
})
