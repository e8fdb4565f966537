import { problemsOfHostedPage } from '../fixtures/browser/axe-views.ts'
import { expect, signIn, test } from '../fixtures/browser/browser.ts'
import { openScreen, screens } from '../fixtures/browser/hosted-pages.ts'
import { alice } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { startLatchkey } from '../fixtures/server/latchkey.ts'

for (const screen of screens) {
  test(`UXC-14 UXC-18 axe finds no problem in light, dark and forced colors, at 360 px and 400 % zoom: ${screen.name}`, async ({
    userPage,
    latchkey,
    app,
  }) => {
    await openScreen(userPage, screen, { latchkey, app })
    expect(await problemsOfHostedPage(userPage)).toEqual([])
  })
}

for (const name of ['offered-link', 'sign-in']) {
  test(`at 360 px the label of the password and the link next to it do not overlap: ${name}`, async ({
    userPage,
    latchkey,
    app,
  }) => {
    await userPage.setViewportSize({ width: 360, height: 800 })
    const screen = screens.find(each => each.name === name)
    if (screen !== undefined) await openScreen(userPage, screen, { latchkey, app })
    const label = await userPage.locator('label[for=password]').boundingBox()
    const link = await userPage.locator('.field > .aside').boundingBox()
    const input = await userPage.locator('#password').boundingBox()
    if (label === null || link === null || input === null) throw new Error('a part is not visible')
    expect(label.x + label.width).toBeLessThan(link.x)
    expect(link.x + link.width).toBeLessThanOrEqual(input.x + input.width + 1)
    expect(input.width).toBeGreaterThan(200)
  })
}

// The terms are a policy of the whole site: with them, every other screen would be that of a user who has accepted them
test('UXC-14 UXC-18 axe finds no problem in light, dark and forced colors, at 360 px and 400 % zoom: terms', async ({
  userPage,
}) => {
  const policies = { terms_uri: 'https://app.example.org/terms', terms_version: '2026-03' }
  const { username, password } = alice
  const configuration = { users: [{ username, password }], policies }
  const site = await startLatchkey({ port: await freePort(), configuration })
  try {
    await userPage.goto(`${site.issuer}/login`)
    await signIn(userPage)
    await userPage.waitForURL(/\/login\/terms\?/)
    await expect(userPage.getByRole('heading', { level: 1 })).toHaveText('Accept the terms of use')
    expect(await problemsOfHostedPage(userPage)).toEqual([])
  } finally {
    await site.stop()
  }
})

test('the test detects fields with small letters, texts that are cut off, and small targets', async ({
  page,
  latchkey,
}) => {
  await page.goto(`${latchkey.issuer}/login`)
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '.input { font-size: 15px } h1 { overflow: hidden; max-height: 8px } .btn { padding: 0; min-height: 0; height: 9px; font-size: 6px; margin: 0 }',
    )
    document.adoptedStyleSheets = [sheet]
  })
  const found = (await problemsOfHostedPage(page)).join('\n')
  expect(found).toMatch(/small letters in input username/)
  expect(found).toMatch(/cuts off .*Sign in/)
  expect(found).toMatch(/target-size/)
})
