import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest, silently } from '../fixtures/requests/sign-in-request.ts'
import { alice, bob, dora } from '../fixtures/server/configuration.ts'

const continueAs = (name: string) => ({ name: new RegExp(`^\\S* ?Continue as ${name}`) })

test('S4 two users of one browser switch, apps choose between them, and one or both sign out', async ({
  userPage: page,
  latchkey,
  app,
}) => {
  const asked = { issuer: latchkey.issuer, app }
  const first = await newSignInRequest(asked)
  await page.goto(first.url.href)
  await signIn(page, alice)
  const { id_token: hint = '' } = await finish(first, await app.arrival())

  await page.goto(`${latchkey.issuer}/account`)
  await page.getByRole('link', { name: 'Switch account' }).click()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await signIn(page, bob)
  await expect(page.getByText(`Signed in as ${bob.name}`)).toBeVisible()

  const choice = await newSignInRequest({ ...asked, parameters: { prompt: 'select_account' } })
  await page.goto(choice.url.href)
  await expect(page.getByRole('button', continueAs(alice.name))).toBeVisible()
  await page.getByRole('button', continueAs(bob.name)).click()
  expect((await finish(choice, await app.arrival())).claims()?.sub).toBe(bob.sub)

  const silent = await silently(page, { ...asked, parameters: { prompt: 'none', id_token_hint: hint } })
  expect(silent.claims()?.sub).toBe(alice.sub)

  const hinted = await newSignInRequest({ ...asked, parameters: { login_hint: alice.username } })
  await page.goto(hinted.url.href)
  await expect(page.locator('main button').first()).toHaveText(/Requested by Trusted Web App/)
  await page.getByRole('button', continueAs(alice.name)).click()
  expect((await finish(hinted, await app.arrival())).claims()?.sub).toBe(alice.sub)
  await page.goto(`${latchkey.issuer}/account`)
  await expect(page.getByText(`Signed in as ${alice.name}`)).toBeVisible()

  await page.goto(`${latchkey.issuer}/select-account`)
  await page.getByText('Sign out', { exact: true }).click()
  await page.getByRole('button', { name: `Sign out ${alice.name}` }).click()
  await expect(page.getByRole('button', continueAs(bob.name))).toBeVisible()
  await expect(page.getByRole('button', continueAs(alice.name))).toHaveCount(0)
  await page.getByRole('button', continueAs(bob.name)).click()
  await expect(page.getByText(`Signed in as ${bob.name}`)).toBeVisible()
})

test('UXC-03 S4 all accounts of the browser sign out together, and other tabs notice', async ({
  userPage: page,
  latchkey,
}) => {
  await page.goto(`${latchkey.issuer}/login`)
  await signIn(page, alice)
  await page.goto(`${latchkey.issuer}/login?account=other`)
  await signIn(page, dora)
  await expect(page.getByText(`Signed in as ${dora.claims.name}`)).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(`${latchkey.issuer}/logout`)
  await other.getByRole('button', { name: 'Sign out of all accounts' }).click()
  await expect(other.getByRole('heading', { name: /signed out/ })).toBeVisible()
  await other.close()
  await page.bringToFront()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByLabel(/^password$/i)).toBeVisible()
  // The tab may still be loading the page for which it has just left
  await expect(() => page.goto(`${latchkey.issuer}/select-account`)).toPass()
  await expect(page.getByLabel(/^password$/i)).toBeVisible()
})
