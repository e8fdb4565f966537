import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest, silently } from '../fixtures/requests/sign-in-request.ts'
import { alice, bob } from '../fixtures/server/configuration.ts'

test('AZ-16 prompt=none returns login_required without a session, and succeeds with one with the same auth_time', async ({
  userPage,
  latchkey,
  app,
}) => {
  const asked = { issuer: latchkey.issuer, app, parameters: { prompt: 'none' } }
  const stranger = await newSignInRequest(asked)
  await userPage.goto(stranger.url.href)
  const { parameters } = await app.arrival()
  expect(parameters.get('error')).toBe('login_required')
  expect(parameters.get('state')).toBe(stranger.state)
  const first = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(first.url.href)
  await signIn(userPage)
  const before = await finish(first, await app.arrival())
  const after = await silently(userPage, asked)
  expect(after.claims()?.sub).toBe(before.claims()?.sub)
  expect(after.claims()?.auth_time).toBe(before.claims()?.auth_time)
})

const askers: readonly Readonly<Record<string, string>>[] = [{ prompt: 'login' }, { max_age: '0' }]

for (const parameters of askers) {
  test(`AZ-17 AZ-18 ${JSON.stringify(parameters)} requires a new sign-in that neither a reload nor the resume address can skip`, async ({
    userPage,
    latchkey,
    app,
  }) => {
    const first = await newSignInRequest({ issuer: latchkey.issuer, app })
    await userPage.goto(first.url.href)
    await signIn(userPage)
    const before = await finish(first, await app.arrival())
    const again = await newSignInRequest({ issuer: latchkey.issuer, app, parameters: { ...parameters } })
    await userPage.goto(again.url.href)
    await expect(userPage.getByLabel(/^password$/i)).toBeVisible()
    await userPage.reload()
    await expect(userPage.getByLabel(/^password$/i)).toBeVisible()
    await userPage.goto(`${latchkey.issuer}/connect/authorize/resume${new URL(userPage.url()).search}`)
    await expect(userPage.getByLabel(/^password$/i)).toBeVisible()
    await signIn(userPage)
    const after = await finish(again, await app.arrival())
    expect(Number(after.claims()?.auth_time)).toBeGreaterThanOrEqual(Number(before.claims()?.auth_time))
  })
}

test('AZ-18 max_age=10000 requires no new sign-in', async ({ userPage, latchkey, app }) => {
  const first = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(first.url.href)
  await signIn(userPage)
  await finish(first, await app.arrival())
  const tokens = await silently(userPage, { issuer: latchkey.issuer, app, parameters: { max_age: '10000' } })
  expect(tokens.claims()?.auth_time).toBeTruthy()
})

test('prompt=select_account offers the current account and a different one', async ({
  userPage,
  latchkey,
  app,
}) => {
  const first = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(first.url.href)
  await signIn(userPage)
  await finish(first, await app.arrival())
  const asked = { issuer: latchkey.issuer, app, parameters: { prompt: 'select_account' } }
  const same = await newSignInRequest(asked)
  await userPage.goto(same.url.href)
  await userPage.getByRole('button', { name: new RegExp(alice.name) }).click()
  expect((await finish(same, await app.arrival())).claims()?.sub).toBe(alice.sub)
  const other = await newSignInRequest(asked)
  await userPage.goto(other.url.href)
  await userPage.getByRole('button', { name: /another|other|different/i }).click()
  await signIn(userPage, bob)
  expect((await finish(other, await app.arrival())).claims()?.sub).toBe(bob.sub)
})

test('AZ-19 login_hint fills in the user name, and ui_locales selects German', async ({
  userPage,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({
    issuer: latchkey.issuer,
    app,
    parameters: { login_hint: 'alice', ui_locales: 'fr de' },
  })
  await userPage.goto(request.url.href)
  await expect(userPage.locator('html')).toHaveAttribute('lang', 'de')
  await expect(userPage.getByLabel(/benutzername/i)).toHaveValue('alice')
  await expect(userPage.getByRole('button', { name: /anmelden/i }).first()).toBeVisible()
})

test('AZ-14 a browser cannot continue a request of a different browser', async ({
  userPage,
  browser,
  latchkey,
  app,
}) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  const other = await browser.newContext()
  const page = await other.newPage()
  await page.goto(userPage.url())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cookies are blocked')
  await expect(page.getByLabel(/^password$/i)).toHaveCount(0)
  await other.close()
})

test('UXC-03 a tab at the sign-in page offers to continue after a sign-in in another tab', async ({
  userPage,
  latchkey,
  app,
}) => {
  const waiting = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(waiting.url.href)
  const tab = await userPage.context().newPage()
  const first = await newSignInRequest({ issuer: latchkey.issuer, app })
  await tab.goto(first.url.href)
  await signIn(tab)
  await finish(first, await app.arrival())
  await tab.close()

  // Dispatches the event by script, because Playwright treats every page as the visible one
  await userPage.evaluate(() => dispatchEvent(new Event('focus')))
  await userPage.getByRole('button', { name: `Continue as ${alice.name}` }).click()
  const tokens = await finish(waiting, await app.arrival())
  expect(tokens.claims()?.sub).toBe(alice.sub)
})
