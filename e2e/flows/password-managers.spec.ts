/** AU-12: tests that the clipboard, the browser and password managers can fill in names and passwords. */
import type { Page } from 'playwright/test'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { finish, newSignInRequest } from '../fixtures/requests/sign-in-request.ts'
import { alice } from '../fixtures/server/configuration.ts'

type Field = Readonly<Record<'name' | 'type' | 'autocomplete', string | null>>

const signInFields: readonly Field[] = [
  { name: 'username', type: 'text', autocomplete: 'username webauthn' },
  { name: 'password', type: 'password', autocomplete: 'current-password' },
]

for (const script of [true, false]) {
  test(`AU-12 password managers recognize the sign-in form, ${script ? 'with' : 'without'} JavaScript`, async ({
    userPage,
    withoutScript,
    latchkey,
  }) => {
    const page = script ? userPage : withoutScript
    await page.goto(`${latchkey.issuer}/login`)
    expect(await fieldsOf(page)).toEqual(signInFields)
    const [name, password] = [page.getByLabel(/user ?name/i), page.getByLabel(/^password$/i)]
    for (const field of [name, password]) await expect(field).toBeEditable()
    // No limit cuts off a long password
    await expect(password).not.toHaveAttribute('maxlength')
    await expect(password).not.toHaveAttribute('pattern')
  })
}

test('AU-12 the form for a new password identifies the user, the current and the new password', async ({
  userPage,
  latchkey,
}) => {
  await userPage.goto(`${latchkey.issuer}/login`)
  await signIn(userPage)
  await expect(userPage).toHaveURL(/\/account$/)
  await userPage.goto(`${latchkey.issuer}/account/password`)
  expect(await fieldsOf(userPage)).toEqual([
    { name: 'current', type: 'password', autocomplete: 'current-password' },
    { name: null, type: 'text', autocomplete: 'username' },
    { name: 'password', type: 'password', autocomplete: 'new-password' },
    { name: 'again', type: 'password', autocomplete: 'new-password' },
  ])
})

test('AU-12 name and password can be pasted', async ({ userPage, latchkey, app }) => {
  const request = await newSignInRequest({ issuer: latchkey.issuer, app })
  await userPage.goto(request.url.href)
  for (const [label, text] of [
    [/user ?name/i, alice.username],
    [/^password$/i, alice.password],
  ] as const) {
    await copyElsewhere(userPage, text)
    const field = userPage.getByLabel(label)
    await field.focus()
    await userPage.keyboard.press('ControlOrMeta+v')
    await expect(field).toHaveValue(text)
  }
  await userPage.getByRole('button', { name: /^sign in$/i }).click()
  expect((await finish(request, await app.arrival())).claims()?.sub).toBe(alice.sub)
})

/** The text and password fields of the form, including those that users do not see. */
function fieldsOf(page: Page): Promise<readonly Field[]> {
  return page.locator('form[method="post"] input:is([type="text"], [type="password"])').evaluateAll(inputs =>
    inputs.map(input => ({
      name: input.getAttribute('name'),
      type: input.getAttribute('type'),
      autocomplete: input.getAttribute('autocomplete'),
    })),
  )
}

/** Puts the text on the clipboard as a user does, in another window and by the keyboard. */
async function copyElsewhere(page: Page, text: string): Promise<void> {
  const other = await page.context().newPage()
  await other.setContent('<textarea></textarea>')
  await other.getByRole('textbox').fill(text)
  await other.keyboard.press('ControlOrMeta+a')
  await other.keyboard.press('ControlOrMeta+c')
  await other.close()
  await page.bringToFront()
}
