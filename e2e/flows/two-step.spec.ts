import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { codesOnPage, enterPassword, setUpApp, signInNewUser } from '../fixtures/browser/two-step-screens.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'

test('UXC-01 MF-01 set-up, sign-in with a code and with a recovery code work without script', async ({
  withoutScript: page,
  latchkey,
  app,
}) => {
  const user = await setUpApp(page, latchkey)
  const codes = await page.locator('#codes code').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I saved these codes' }).click()
  await expect(page.getByText('10 codes are left.')).toBeVisible()

  for (const way of ['code', 'recovery code'] as const) {
    await page.context().clearCookies()
    const asked = await newSignInRequest({ issuer: latchkey.issuer, app })
    await page.goto(asked.url.href)
    await page.getByLabel(/user ?name/i).fill(user.username)
    await page.getByLabel(/^password$/i).fill(user.password)
    await page.getByRole('button', { name: /^sign in$/i }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Trusted Web App')
    if (way === 'code') {
      await page.getByLabel('Code').fill('000000')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('alert')).toHaveText(/isn’t right/)
      await page.getByLabel('Code').fill(user.code())
    } else {
      await page.getByRole('link', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '')
    }
    await page.getByRole('button', { name: 'Continue' }).click()
    const tokens = await finish(asked, await app.arrival())
    expect(tokens.claims()?.amr).toEqual(['pwd', 'otp', 'mfa'])
    app.forget()
  }
  await page.goto(`${latchkey.issuer}/account`)
  await expect(page.getByText('9 codes are left.')).toBeVisible()
})

test('UXC-15 a user sets up an authenticator app and signs in with it by keyboard', async ({
  userPage: page,
  latchkey,
}) => {
  const user = await signInNewUser(page, latchkey)
  await page.goto(`${latchkey.issuer}/account`)
  await page.getByRole('link', { name: 'Set up an authenticator app' }).first().focus()
  await page.keyboard.press('Enter')
  const field = page.getByLabel(/code that the app shows/)
  await expect(field).toBeFocused()
  const code = await codesOnPage(page)
  await page.keyboard.type('000 000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeFocused()
  expect((await codesOnPage(page))()).toBe(code())
  await field.focus()
  await page.keyboard.type(code())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()

  await page.context().clearCookies()
  await enterPassword(page, latchkey, user)
  const second = page.getByLabel('Code')
  await expect(second).toBeFocused()
  await page.keyboard.type('12345678')
  await expect(second).toHaveValue('12345678')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeFocused()
  await page.getByRole('link', { name: 'Back to sign in' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(/^password$/i)).toBeVisible()
})

test('UXC-25 recovery codes are printed without the rest of the page, copied, and downloaded', async ({
  userPage: page,
  latchkey,
}) => {
  const user = await setUpApp(page, latchkey)
  const codes = await page.locator('#codes code').allTextContents()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as text' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('recovery-codes.txt')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(`Recovery codes for ${user.username}`)).toBeVisible()
  for (const code of codes) await expect(page.getByText(code)).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('link')).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => Object.assign(globalThis, { print: () => document.body.append('printed') }))
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.getByText('printed')).toBeVisible()
})

test('UXC-02 UXC-06 a reload shows the same step, and the way back leads on', async ({
  userPage: page,
  latchkey,
}) => {
  const user = await setUpApp(page, latchkey)
  const codes = await page.locator('#codes code').allTextContents()
  await page.reload()
  expect(await page.locator('#codes code').allTextContents()).toEqual(codes)
  await page.context().clearCookies()
  await enterPassword(page, latchkey, user)
  await page.getByLabel('Code').waitFor()
  await page.reload()
  await page.getByLabel('Code').fill(user.code())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'You’re signed in' })).toBeVisible()
})

test('UXC-02 the way back from the second factor keeps the user name', async ({
  userPage: page,
  latchkey,
  app,
}) => {
  const user = await setUpApp(page, latchkey)
  await page.context().clearCookies()
  const asked = await newSignInRequest({ issuer: latchkey.issuer, app })
  await page.goto(asked.url.href)
  await signIn(page, user)
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page.getByLabel(/user ?name/i)).toHaveValue(user.username)
  await page.getByLabel(/^password$/i).fill(user.password)
  await page.getByRole('button', { name: /^sign in$/i }).click()
  await page.getByLabel('Code').fill(user.code())
  await page.keyboard.press('Enter')
  expect((await finish(asked, await app.arrival())).claims()?.amr).toContain('otp')
})

test('UXC-02 a user who has lost app and codes is led to help, and can return to the app', async ({
  withoutScript: page,
  latchkey,
  app,
}) => {
  const user = await setUpApp(page, latchkey)
  await page.context().clearCookies()
  const asked = await newSignInRequest({ issuer: latchkey.issuer, app })
  await page.goto(asked.url.href)
  await signIn(page, user)
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await expect(page.getByText(/^Lost your codes, too\? .* administrator can help/)).toBeVisible()
  await page.getByRole('button', { name: /^Cancel and return to / }).click()
  expect((await app.arrival()).parameters.get('error')).toBe('access_denied')
})
