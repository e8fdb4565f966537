import { expect, test } from '../fixtures/browser/browser.ts'
import { openScreen, screens } from '../fixtures/browser/hosted-pages.ts'

/** NOTE: the fixture fails the test at any error in the console, such as a blocked script, style or picture. */
test('WF-01 hosted pages load only the scripts of this server, and the policy blocks nothing', async ({
  userPage,
  latchkey,
  app,
}) => {
  test.setTimeout(screens.length * 5000)
  const loaded = new Set<string>()
  userPage.on('request', request => {
    if (request.resourceType() === 'script') loaded.add(new URL(request.url()).pathname)
  })
  for (const screen of screens) {
    await openScreen(userPage, screen, { latchkey, app })
    await expect(userPage.locator('h1')).toHaveCount(1)
  }
  const names = [...loaded].map(path => path.replace(/-[0-9a-f]{12}\.js$/, '.js'))
  expect(names.toSorted()).toEqual(['/assets/new-password.js', '/assets/passkeys.js', '/enhance.js'])
})

test('the script of the page runs: the password can be shown', async ({ userPage, latchkey }) => {
  await userPage.goto(`${latchkey.issuer}/login`)
  await userPage.getByLabel(/^password$/i).fill('visible')
  await userPage.getByRole('button', { name: /show password/i }).click()
  await expect(userPage.locator('#password')).toHaveAttribute('type', 'text')
})

test('the page for a forgotten password shows the name that was typed on the sign-in page', async ({
  userPage,
  latchkey,
}) => {
  await userPage.goto(`${latchkey.issuer}/login?back=/account/passkeys`)
  await userPage.locator('#username').fill('ada@example.org')
  await userPage.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(userPage).toHaveURL(`${latchkey.issuer}/login/forgot?back=%2Faccount%2Fpasskeys`)
  await expect(userPage.locator('#username')).toHaveValue('ada@example.org')
})

test('UXC-01 hosted pages have their heading without script', async ({ withoutScript, latchkey, app }) => {
  test.setTimeout(screens.length * 5000)
  for (const screen of screens) {
    await openScreen(withoutScript, screen, { latchkey, app })
    await expect(withoutScript.locator('h1'), screen.name).toHaveCount(1)
  }
})
