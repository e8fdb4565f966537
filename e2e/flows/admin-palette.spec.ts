/** Tests the palette of the dashboard, and the search box without script. */
import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../fixtures/browser/browser.ts'
import { enterDashboard, openPalette, results } from '../fixtures/dashboard/shared-owner.ts'

const searchBox = /^Find a client/

test.describe('the palette', () => {
  test('A19 the slash key opens the palette, and goes into a field where text is typed', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await openPalette(userPage, '/')
    await expect(box(userPage)).toBeFocused()
    await userPage.keyboard.press('/')
    await expect(box(userPage)).toHaveValue('/')
  })

  test('the palette opens with Ctrl-K, finds actions, and opens one with Enter', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await openPalette(userPage)
    await expect(box(userPage)).toBeFocused()
    await userPage.keyboard.type('rotate')
    await expect(results(userPage).getByRole('option', { selected: true })).toContainText('Rotate keys')
    await userPage.keyboard.press('Enter')
    await expect(userPage).toHaveURL(/\/admin\/keys$/)
  })

  test('arrow keys move through the palette, and Escape closes it and restores the focus', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    const start = userPage.getByRole('link', { name: 'New client' })
    await start.focus()
    await openPalette(userPage)
    await expect(results(userPage).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    const count = await results(userPage).getByRole('option').count()
    await userPage.keyboard.press('ArrowUp')
    await expect(
      results(userPage)
        .getByRole('option')
        .nth(count - 1),
    ).toHaveAttribute('aria-selected', 'true')
    await userPage.keyboard.press('ArrowDown')
    await expect(results(userPage).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await expect(box(userPage)).toBeFocused()
    await userPage.keyboard.press('Escape')
    await expect(userPage.getByRole('dialog')).toHaveCount(0)
    await expect(start).toBeFocused()
  })

  test('the palette finds users by the beginnings of their names, and opens with a click on the search field', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await userPage.getByRole('searchbox', { name: searchBox }).click()
    await box(userPage).fill('ali')
    await expect(userPage.getByRole('group', { name: 'Users' }).getByRole('option')).toHaveCount(1)
    await box(userPage).fill('alice')
    await expect(userPage.getByRole('group', { name: 'Exact match' }).getByRole('option')).toHaveCount(1)
    await results(userPage).getByRole('option', { name: /alice/i }).click()
    await expect(userPage).toHaveURL(/\/admin\/users\//)
  })

  test('a pasted request ID opens its request trace, also when Enter follows immediately', async ({
    userPage,
    latchkey,
  }) => {
    const refused = await userPage.goto(`${latchkey.issuer}/connect/authorize?client_id=unknown`)
    const reference = refused?.headers()['x-reference-id'] ?? ''
    await enterDashboard(userPage, latchkey)
    await openPalette(userPage)
    await box(userPage).fill(`Reference: ${reference.toLowerCase()}`)
    await userPage.keyboard.press('Enter')
    await expect(userPage.getByRole('heading', { level: 1 })).toContainText(reference)
  })

  test('the palette says when nothing is found, and when a search fails without a session', async ({
    userPage,
    latchkey,
  }) => {
    await enterDashboard(userPage, latchkey)
    await openPalette(userPage)
    await box(userPage).fill('zzzz')
    await expect(userPage.getByRole('status').filter({ hasText: 'No results' })).toBeVisible()
    await box(userPage).fill('7QK4-M2P9')
    await expect(userPage.getByRole('status').filter({ hasText: 'No event is stored' })).toBeVisible()
    await userPage.context().clearCookies()
    await box(userPage).fill('al')
    await expect(userPage.getByRole('status').filter({ hasText: 'Search failed' })).toBeVisible()
  })
})

test('without script the search field opens a result page, or the only match', async ({
  withoutScript: page,
  latchkey,
}) => {
  await enterDashboard(page, latchkey)
  const search = page.getByRole('searchbox', { name: searchBox })
  await search.fill('add')
  await search.press('Enter')
  await expect(page.getByRole('link', { name: 'New client' })).toBeVisible()
  await search.fill('local-only')
  await search.press('Enter')
  await expect(page).toHaveURL(/\/admin\/clients\/local-only/)
})

function box(page: Page): Locator {
  return page.getByRole('combobox', { name: /^Search/ })
}
