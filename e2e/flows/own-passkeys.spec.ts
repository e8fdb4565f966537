import type { Page } from 'playwright/test'
import { createAuthenticator } from '#lib/identity/passkeys/testing/authenticator.ts'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { newUser } from '../fixtures/browser/new-user.ts'
import { addAuthenticator } from '../fixtures/browser/virtual-authenticator.ts'
import type { Latchkey } from '../fixtures/server/latchkey.ts'
import { forgetFactors, storePasskey } from '../fixtures/server/stored-rows.ts'

async function signedIn(page: Page, latchkey: Latchkey) {
  const authenticator = await addAuthenticator(page)
  await authenticator.setPresence(true)
  const user = await newUser(latchkey)
  await page.goto(`${latchkey.issuer}/login?back=/account/passkeys`)
  await signIn(page, user)
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(page.getByRole('heading', { name: 'Passkeys', level: 1 })).toBeVisible()
  return { user }
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.getByRole('status')).toHaveText('The passkey was added.')
}

test('MF-05 a user adds, renames and removes a passkey', async ({ userPage, latchkey }) => {
  await signedIn(userPage, latchkey)
  await addPasskey(userPage)
  await expect(userPage.getByRole('heading', { level: 3 })).toHaveText(/^Chrome on /)
  await userPage.getByText('Rename', { exact: true }).click()
  await userPage.getByLabel('Name').fill('My laptop')
  await userPage.getByRole('button', { name: 'Save' }).click()
  await expect(userPage.getByRole('heading', { name: 'My laptop' })).toBeVisible()
  await userPage.getByRole('link', { name: 'Add a passkey' }).click()
  await expect(userPage.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
  await userPage.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await userPage.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(userPage.getByText('This device already has a passkey for your account.')).toBeVisible()
  await userPage.goto(`${latchkey.issuer}/account/passkeys`)
  await userPage.getByText('Remove', { exact: true }).click()
  await userPage.getByRole('button', { name: 'Remove My laptop' }).click()
  await expect(userPage.getByText('You have no passkeys.')).toBeVisible()
  // Events are stored within a second
  await expect(async () => {
    await userPage.goto(`${latchkey.issuer}/account`)
    await expect(userPage.getByText('Passkey removed')).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 10_000 })
})

test('MF-04 a passkey that was added in another browser is needed to confirm the identity', async ({
  userPage,
  latchkey,
}) => {
  const { user } = await signedIn(userPage, latchkey)
  await addPasskey(userPage)
  await forgetFactors(latchkey, user.sub)
  await userPage.goto(`${latchkey.issuer}/account/password`)
  await expect(userPage.getByLabel(/^password$/i)).toHaveCount(0)
  await userPage.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(userPage.getByRole('heading', { name: 'Change your password' })).toBeVisible()
})

test('MF-05 credential managers learn which passkeys and names are valid', async ({ userPage, latchkey }) => {
  await userPage.addInitScript(() => {
    const keep = (name: string) => (data: object) => {
      sessionStorage.setItem(name, JSON.stringify(data))
      return Promise.resolve()
    }
    Object.assign(PublicKeyCredential, {
      signalAllAcceptedCredentials: keep('accepted'),
      signalCurrentUserDetails: keep('details'),
    })
  })
  const { user } = await signedIn(userPage, latchkey)
  await addPasskey(userPage)
  const sent = async (name: string) =>
    JSON.parse((await userPage.evaluate(key => sessionStorage.getItem(key), name)) ?? 'null')
  expect((await sent('accepted')).allAcceptedCredentialIds).toHaveLength(1)
  expect(await sent('accepted')).toMatchObject({ rpId: new URL(latchkey.issuer).hostname })
  expect(await sent('details')).toMatchObject({ name: user.username })
})

test('UXC-01 without script a sentence says what a new passkey needs, and a passkey can be renamed', async ({
  withoutScript,
  latchkey,
}) => {
  const user = await newUser(latchkey)
  await withoutScript.goto(`${latchkey.issuer}/login?back=/account/passkeys/add`)
  await signIn(withoutScript, user)
  await expect(withoutScript.getByText(/allow JavaScript for this page/)).toBeVisible()
  await expect(withoutScript.getByRole('button', { name: 'Create a passkey' })).toBeHidden()
  await withoutScript.getByRole('link', { name: 'Back to your passkeys' }).click()
  await expect(withoutScript.getByText('You have no passkeys.')).toBeVisible()
  const authenticator = createAuthenticator({ origin: latchkey.issuer })
  await storePasskey(latchkey, { subject: user.sub, authenticator })
  await withoutScript.reload()
  await withoutScript.getByText('Rename', { exact: true }).click()
  await withoutScript.getByLabel('Name').fill('Phone of Robin')
  await withoutScript.getByRole('button', { name: 'Save' }).click()
  await expect(withoutScript.getByRole('heading', { name: 'Phone of Robin' })).toBeVisible()
})
