/** UXC-12 UXC-15: tests everyday jobs of users with the keyboard only, and a visible focus at each stop. */
import { expect, test } from '../fixtures/browser/browser.ts'
import { newUser } from '../fixtures/browser/new-user.ts'
import { type Hands, keyboardOn } from '../fixtures/browser/pointer-and-keyboard.ts'
import { addAuthenticator } from '../fixtures/browser/virtual-authenticator.ts'
import type { Credentials } from '../fixtures/dashboard/administrator.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'

async function signInByKeyboard(hands: Hands, { username, password }: Credentials): Promise<void> {
  const { page } = hands
  await hands.type(page.getByLabel(/user ?name/i), username)
  const field = page.getByLabel(/^password$/i)
  await hands.type(field, password)
  await hands.send(field)
}

test('UXC-12 UXC-15 a user signs in, allows an app all but one permission, and removes its access by keyboard', async ({
  userPage: page,
  latchkey,
  app,
}) => {
  const hands = keyboardOn(page)
  const user = await newUser(latchkey)
  const parameters = { scope: 'openid profile api', prompt: 'consent' }
  const request = await newSignInRequest({ issuer: latchkey.issuer, app, clientId: 'web', parameters })
  await page.goto(request.url.href)
  await signInByKeyboard(hands, user)
  await hands.reach(page.getByRole('checkbox', { name: /ledger entries/i }))
  await page.keyboard.press('Space')
  const allow = page.getByRole('button', { name: /^allow/i })
  // The button ignores presses just after the page appears
  await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
  await hands.press(allow)
  const arrival = await app.arrival()
  // The browser receives the response after the app has received the request
  await page.waitForURL(/\/callback/)
  const tokens = await finish(request, arrival)
  expect(tokens.scope?.split(' ').toSorted()).toEqual(['openid', 'profile'])

  await page.goto(`${latchkey.issuer}/account`)
  await hands.press(page.locator('#apps summary').filter({ hasText: 'Remove access' }))
  await hands.press(page.getByRole('button', { name: /^Remove access for / }))
  await expect(page.getByRole('status')).toHaveText('The app no longer has access.')
})

test('UXC-12 UXC-15 a user changes the password and signs out other devices by keyboard', async ({
  userPage: page,
  browser,
  latchkey,
}) => {
  const hands = keyboardOn(page)
  const user = await newUser(latchkey)
  await page.goto(`${latchkey.issuer}/login?back=/account/password`)
  await signInByKeyboard(hands, user)
  const password = 'a kettle on the seventh step'
  await hands.type(page.getByLabel('Current password'), user.password)
  await hands.type(page.locator('#password'), password)
  await hands.type(page.locator('#again'), password)
  await hands.send(page.locator('#again'))
  await expect(page.getByRole('status')).toHaveText(/Your password was changed/)

  const elsewhere = await browser.newContext({ locale: 'en-GB' })
  const other = await elsewhere.newPage()
  await other.goto(`${latchkey.issuer}/login`)
  await signInByKeyboard(keyboardOn(other), { ...user, password })
  await expect(other.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await page.reload()
  await hands.press(page.locator('#sessions summary').filter({ hasText: 'Sign out everywhere else' }))
  await hands.press(page.locator('button[name=all]'))
  await expect(page.getByRole('status')).toHaveText('You were signed out everywhere else.')
  await other.reload()
  await expect(other.getByLabel(/^password$/i)).toBeVisible()
  await elsewhere.close()
})

test('UXC-12 UXC-15 a user adds, renames and removes a passkey, and signs in with it by keyboard', async ({
  userPage: page,
  latchkey,
}) => {
  const hands = keyboardOn(page)
  const authenticator = await addAuthenticator(page)
  await authenticator.setPresence(true)
  const user = await newUser(latchkey)
  await page.goto(`${latchkey.issuer}/login?back=/account/passkeys`)
  await signInByKeyboard(hands, user)
  await hands.press(page.getByRole('link', { name: 'Not now' }))
  await hands.press(page.getByRole('link', { name: 'Add a passkey' }))
  await hands.press(page.getByRole('button', { name: 'Create a passkey' }))
  await expect(page.getByRole('status')).toHaveText('The passkey was added.')
  await hands.press(page.getByText('Rename', { exact: true }))
  await hands.type(page.getByLabel('Name'), 'Kitchen laptop')
  await hands.send(page.getByLabel('Name'))
  await expect(page.getByRole('heading', { name: 'Kitchen laptop' })).toBeVisible()

  await page.context().clearCookies()
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto(`${latchkey.issuer}/login?back=/account/passkeys`)
  await hands.press(page.getByRole('button', { name: 'Sign in with a passkey' }))
  await hands.press(page.getByText('Remove', { exact: true }))
  await hands.press(page.getByRole('button', { name: 'Remove Kitchen laptop' }))
  await expect(page.getByText('You have no passkeys.')).toBeVisible()
})

test('UXC-12 UXC-15 a user adds an account, switches, and signs out of both by keyboard', async ({
  userPage: page,
  latchkey,
}) => {
  const hands = keyboardOn(page)
  const [first, second] = [await newUser(latchkey), await newUser(latchkey)]
  const signedInAs = ({ username }: Credentials) => page.locator('.facts').getByText(username)
  await page.goto(`${latchkey.issuer}/login`)
  await signInByKeyboard(hands, first)
  await hands.press(page.getByRole('link', { name: 'Switch account' }))
  await hands.press(page.getByRole('button', { name: 'Use another account' }))
  await signInByKeyboard(hands, second)
  await expect(signedInAs(second)).toBeVisible()
  await hands.press(page.getByRole('link', { name: 'Switch account' }))
  await hands.press(page.locator(`button[name=user][value="${first.sub}"]`))
  await expect(signedInAs(first)).toBeVisible()
  await page.goto(`${latchkey.issuer}/logout`)
  await hands.press(page.getByRole('button', { name: 'Sign out of all accounts' }))
  await expect(page.getByRole('heading', { name: /signed out/ })).toBeVisible()
})
