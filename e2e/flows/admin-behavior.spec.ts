/**
 * Tests what script adds to the dashboard, mostly by keyboard, and the accessibility of open dialogs; for times, sorting and
 * the theme also what works without script.
 */
import type { Locator, Page } from 'playwright/test'
import { problemsNow } from '../fixtures/browser/axe-views.ts'
import { expect, test } from '../fixtures/browser/browser.ts'
import { enterDashboard, openPalette, results } from '../fixtures/dashboard/shared-owner.ts'

test.describe('A20 far from Greenwich', () => {
  test.use({ timezoneId: 'Asia/Kolkata', locale: 'de-DE' })

  test('times are in the zone and the language of the reader, and name the zone', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await userPage.goto(`${latchkey.issuer}/admin/keys`)
    const times = userPage.locator('time.moment').filter({ hasText: ':' })
    await expect(times.first()).toHaveText(/^\d+\. \S+ 20\d\d, \d\d:\d\d GMT\+5:30$/)
    for (const text of await times.allTextContents()) expect(text).toMatch(/ GMT\+5:30$/)
    await expect(times.first()).toHaveAttribute('title', / UTC$/)
  })
})

test('A20 without script times are in UTC, in the form of ISO 8601', async ({
  withoutScript: page,
  latchkey,
}) => {
  await enterDashboard(page, latchkey)
  await page.goto(`${latchkey.issuer}/admin/keys`)
  const time = page.locator('time.moment').filter({ hasText: ':' }).first()
  await expect(time).toHaveText(/^20\d\d-\d\d-\d\d \d\d:\d\d UTC$/)
})

test('a list is sorted on a phone, without script', async ({ withoutScript: page, latchkey }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await enterDashboard(page, latchkey)
  await page.goto(`${latchkey.issuer}/admin/clients`)
  const head = page.getByRole('columnheader', { name: 'Changed' })
  const link = head.getByRole('link')
  await link.scrollIntoViewIfNeeded()
  await expect(link).toBeInViewport()
  await link.click()
  await expect(page).toHaveURL(/[?&]sort=-updated/)
  await expect(head).toHaveAttribute('aria-sort', 'descending')
})

test('A7 new events are offered above the list, not below its last row', async ({ userPage, latchkey }) => {
  await enterDashboard(userPage, latchkey)
  await userPage.goto(`${latchkey.issuer}/admin/events`)
  await userPage.request.get(`${latchkey.issuer}/connect/authorize?client_id=unknown`)
  const offer = userPage.getByRole('link', { name: /^Show \d+ new event/ })
  await expect(offer).toBeVisible()
  const first = userPage.locator('main a[href^="/admin/events/requests/"]').first()
  const [above, below] = [await offer.boundingBox(), await first.boundingBox()]
  expect(above?.y).toBeLessThan(below?.y ?? 0)
})

test('a link of the navigation exchanges the page without loading the document again', async ({
  userPage,
  latchkey,
}) => {
  await enterDashboard(userPage, latchkey)
  await userPage.evaluate(() => Reflect.set(window, 'isSameDocument', true))
  await userPage.getByRole('link', { name: 'Scopes', exact: true }).click()
  await expect(userPage).toHaveTitle(/^Scopes/)
  await expect(userPage.getByRole('link', { name: 'Scopes', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  expect(await userPage.evaluate(() => Reflect.get(window, 'isSameDocument'))).toBe(true)
})

test('a link leads to the sign-in, and then to its page, when the session has ended', async ({
  userPage,
  latchkey,
}) => {
  await enterDashboard(userPage, latchkey)
  await userPage.context().clearCookies({ name: 'latchkey_admin' })
  await userPage.getByRole('link', { name: 'Scopes', exact: true }).click()
  await expect(userPage.getByRole('heading', { level: 1 })).toHaveText('Scopes')
  await expect(userPage).toHaveURL(/\/admin\/scopes$/)
  await userPage.context().clearCookies()
  await userPage.getByRole('link', { name: 'Keys', exact: true }).click()
  await expect(userPage.getByLabel('Password', { exact: true })).toBeVisible()
})

test.describe('a button with consequences', () => {
  test('a confirmation opens in a dialog that names the consequences, keeps the focus, and returns it', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await userPage.goto(`${latchkey.issuer}/admin/clients/web`)
    const button = userPage.getByRole('button', { name: 'Delete this client' })
    await button.focus()
    await userPage.keyboard.press('Enter')
    const dialog = userPage.getByRole('alertdialog', { name: 'Delete this client?' })
    await expect(dialog).toHaveAccessibleDescription(
      /^(?:Ends [1-9].* grants? of .* users?|No user has access through it)\. /,
    )
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    for (let step = 0; step < 4; step++) {
      await userPage.keyboard.press('Tab')
      expect(await isBehind(dialog), 'the focus is never on the page behind the dialog').toBe(false)
    }
    await userPage.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button).toBeFocused()
  })

  test('confirming the dialog carries out the action', async ({ userPage, latchkey }) => {
    await enterDashboard(userPage, latchkey)
    await userPage.goto(`${latchkey.issuer}/admin/clients/local-only`)
    await meanIt(userPage, 'Disable this client')
    await expect(
      userPage.locator('.tag', { hasText: 'Disabled' }).or(userPage.getByText('Disabled')),
    ).not.toHaveCount(0)
    await meanIt(userPage, 'Enable this client')
    await expect(userPage.getByRole('button', { name: 'Disable this client' })).toBeVisible()
  })
})

/** Opens the dialog of a button, waits until Cancel has the focus, and presses the button before Cancel. */
async function meanIt(userPage: Page, name: string): Promise<void> {
  await userPage.getByRole('button', { name }).press('Enter')
  await expect(userPage.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await userPage.keyboard.press('Shift+Tab')
  await userPage.keyboard.press('Enter')
}

test.describe('a form with a save bar', () => {
  test('unsaved changes are shown, discarded, and saved with Ctrl-S', async ({ userPage, latchkey }) => {
    await openClient(userPage, latchkey.issuer, () => enterDashboard(userPage, latchkey))
    const name = userPage.getByLabel('Name', { exact: true })
    const stored = await name.inputValue()
    const save = userPage.getByRole('button', { name: 'Save changes' })
    await expect(save).toBeHidden()
    await name.fill('Another name')
    await expect(save).toBeVisible()
    await userPage.getByLabel('Home page').fill('https://home.example')
    await expect(unsaved(userPage)).toHaveText('2 changes not saved: Name, Home page')
    await userPage.getByRole('button', { name: 'Discard' }).press('Enter')
    await expect(name).toHaveValue(stored)
    await expect(unsaved(userPage)).toHaveText('')
    await name.fill(`${stored} again`)
    await userPage.keyboard.press('Control+s')
    await expect(userPage.getByText('Client saved.')).toBeVisible()
    await expect(name).toHaveValue(`${stored} again`)
    await name.fill(stored)
    await userPage.keyboard.press('Control+s')
    await expect(name).toHaveValue(stored)
  })

  test('a change of any choice marks its group', async ({ userPage, latchkey }) => {
    await openClient(userPage, latchkey.issuer, () => enterDashboard(userPage, latchkey))
    await userPage.getByText('Grants and authentication', { exact: true }).click()
    const group = userPage.getByRole('group', { name: 'Grant types' })
    const mark = () => group.locator('legend').evaluate(at => getComputedStyle(at, '::after').content)
    for (const choice of [group.getByRole('checkbox').first(), group.getByRole('checkbox').last()])
      for (const expected of ['" · changed"', 'none']) {
        await choice.press('Space')
        await expect.poll(mark).toBe(expected)
      }
  })

  test('a changed name of a client in the configuration file is one difference in its history', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await userPage.goto(`${latchkey.issuer}/admin/clients/machine-limited`)
    const name = userPage.getByLabel('Name', { exact: true })
    await name.fill('Limited')
    await userPage.getByRole('button', { name: 'Save changes' }).click()
    await expect(userPage.getByText('Client saved.')).toBeVisible()
    await userPage.goto(`${latchkey.issuer}/admin/clients/machine-limited/history`)
    await expect(userPage.locator('.difference dt').first()).toBeVisible()
    expect(await userPage.locator('.difference dt').allTextContents()).toEqual(['client_name'])
  })

  test('leaving a page warns only about unsaved changes', async ({ userPage, latchkey }) => {
    await openClient(userPage, latchkey.issuer, () => enterDashboard(userPage, latchkey))
    const asked: string[] = []
    userPage.on('dialog', async dialog => {
      asked.push(dialog.type())
      await dialog.accept()
    })
    await userPage.getByRole('link', { name: 'Scopes', exact: true }).click()
    await userPage.waitForURL(/\/admin\/scopes/)
    expect(asked).toEqual([])
    await userPage.goto(`${latchkey.issuer}/admin/clients/local-only`)
    await userPage.getByLabel('Name', { exact: true }).fill('Left behind')
    await userPage.getByRole('link', { name: 'Scopes', exact: true }).click()
    await userPage.waitForURL(/\/admin\/scopes/)
    expect(asked).toEqual(['beforeunload'])
  })

  test('a rejected form still has unsaved changes, which can be discarded', async ({
    userPage,
    latchkey,
  }) => {
    await openClient(userPage, latchkey.issuer, () => enterDashboard(userPage, latchkey))
    const uris = userPage.getByLabel('Redirect URIs', { exact: true })
    const stored = await uris.inputValue()
    await uris.fill('https://app.example/callback#part')
    await userPage.keyboard.press('Control+s')
    await expect(userPage.getByRole('main').getByRole('alert')).toContainText('fragment')
    await expect(unsaved(userPage)).toHaveText('Not saved yet')
    await userPage.getByRole('button', { name: 'Discard' }).click()
    await expect(userPage.getByLabel('Redirect URIs', { exact: true })).toHaveValue(stored)
  })
})

test.describe('the theme', () => {
  const scheme = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)

  test('changing the theme takes effect on the same page and is kept', async ({ userPage, latchkey }) => {
    await enterDashboard(userPage, latchkey)
    await userPage.getByRole('button', { name: 'Dark', exact: true }).press('Enter')
    expect(await scheme(userPage)).toBe('dark')
    await expect.poll(() => themeCookie(userPage)).toBe('dark')
    await userPage.reload()
    expect(await scheme(userPage)).toBe('dark')
    await expect(userPage.getByRole('button', { name: 'Dark', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await openPalette(userPage)
    await box(userPage).fill('theme device')
    await userPage.keyboard.press('Enter')
    await expect.poll(() => scheme(userPage)).toBe('light dark')
    await expect.poll(() => themeCookie(userPage)).toBe(undefined)
  })

  test('the theme can be changed without script and returns to the same page', async ({
    withoutScript: page,
    latchkey,
  }) => {
    await enterDashboard(page, latchkey)
    await page.goto(`${latchkey.issuer}/admin/clients?q=web`)
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    await expect(page).toHaveURL(/\/admin\/clients\?q=web$/)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1200, 320]) {
    test(`axe finds no problem in elements that script opens, ${colorScheme}, ${width} px`, async ({
      userPage,
      latchkey,
    }) => {
      await userPage.setViewportSize({ width, height: 800 })
      await userPage.emulateMedia({ colorScheme })
      await enterDashboard(userPage, latchkey)
      await openPalette(userPage)
      await box(userPage).fill('a')
      await expect(results(userPage).getByRole('option').first()).toBeVisible()
      expect(await problemsNow(userPage)).toEqual([])
      await userPage.goto(`${latchkey.issuer}/admin/clients/web`)
      await userPage.getByLabel('Name', { exact: true }).fill('Not saved')
      await userPage.getByRole('button', { name: 'Delete this client' }).press('Enter')
      await expect(userPage.getByRole('alertdialog')).toBeVisible()
      expect(await problemsNow(userPage)).toEqual([])
      await userPage.keyboard.press('Escape')
      expect(await problemsNow(userPage)).toEqual([])
      userPage.on('dialog', dialog => dialog.accept())
    })
  }
}

function box(page: Page): Locator {
  return page.getByRole('combobox', { name: /^Search/ })
}

function unsaved(page: Page): Locator {
  return page.locator('form', { hasText: 'Save changes' }).getByRole('status')
}

async function openClient(page: Page, issuer: string, enter: () => Promise<void>): Promise<void> {
  await enter()
  await page.goto(`${issuer}/admin/clients/local-only`)
}

/**
 * Whether the focus is on an element of the page behind a modal dialog. It may be in the browser's own controls, in which case
 * the body is the active element of the document.
 */
function isBehind(dialog: Locator): Promise<boolean> {
  return dialog.evaluate(
    element => document.activeElement !== document.body && !element.contains(document.activeElement),
  )
}

async function themeCookie(page: Page): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === 'latchkey_theme')?.value
}
