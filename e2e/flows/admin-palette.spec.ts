/** The palette of the dashboard, and the search box without script. */
import type { Locator, Page } from 'playwright/test'
import { enterDashboard, openPalette } from '../fixtures/admin-office.ts'
import { expect, test } from '../fixtures/browser.ts'

const searchBox = /^Find a client/

test.describe('the palette', () => {
  test('A19 the slash key opens the palette, and goes into a field where text is typed', async ({
    person,
    latchkey,
  }) => {
    await enterDashboard(person, latchkey)
    await openPalette(person, '/')
    await expect(box(person)).toBeFocused()
    await person.keyboard.press('/')
    await expect(box(person)).toHaveValue('/')
  })

  test('the palette opens with Ctrl-K, finds actions, and opens one with Enter', async ({
    person,
    latchkey,
  }) => {
    await enterDashboard(person, latchkey)
    await openPalette(person)
    await expect(box(person)).toBeFocused()
    await person.keyboard.type('rotate')
    await expect(person.getByRole('option', { selected: true })).toContainText('Rotate keys')
    await person.keyboard.press('Enter')
    await expect(person).toHaveURL(/\/admin\/keys$/)
  })

  test('arrow keys move through the palette, and Escape closes it and restores the focus', async ({
    person,
    latchkey,
  }) => {
    await enterDashboard(person, latchkey)
    const start = person.getByRole('link', { name: 'New client' })
    await start.focus()
    await openPalette(person)
    await expect(person.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    const count = await person.getByRole('option').count()
    await person.keyboard.press('ArrowUp')
    await expect(person.getByRole('option').nth(count - 1)).toHaveAttribute('aria-selected', 'true')
    await person.keyboard.press('ArrowDown')
    await expect(person.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await expect(box(person)).toBeFocused()
    await person.keyboard.press('Escape')
    await expect(person.getByRole('dialog')).toHaveCount(0)
    await expect(start).toBeFocused()
  })

  test('the palette finds clients and users by the beginnings of their names, and opens with a click on the search field', async ({
    person,
    latchkey,
  }) => {
    await enterDashboard(person, latchkey)
    await person.getByRole('searchbox', { name: searchBox }).click()
    await box(person).fill('ali')
    await expect(person.getByRole('group', { name: 'Users' }).getByRole('option')).toHaveCount(1)
    await box(person).fill('alice')
    await expect(person.getByRole('group', { name: 'Exact match' }).getByRole('option')).toHaveCount(1)
    await person.getByRole('option', { name: /alice/i }).click()
    await expect(person).toHaveURL(/\/admin\/users\//)
  })

  test('a pasted request ID opens its request trace, also when Enter follows immediately', async ({
    person,
    latchkey,
  }) => {
    const refused = await person.goto(`${latchkey.issuer}/connect/authorize?client_id=unknown`)
    const reference = refused?.headers()['x-reference-id'] ?? ''
    await enterDashboard(person, latchkey)
    await openPalette(person)
    await box(person).fill(`Reference: ${reference.toLowerCase()}`)
    await person.keyboard.press('Enter')
    await expect(person.getByRole('heading', { level: 1 })).toContainText(reference)
  })

  test('the palette says when nothing is found, and when the admin session has ended', async ({
    person,
    latchkey,
  }) => {
    await enterDashboard(person, latchkey)
    await openPalette(person)
    await box(person).fill('zzzz')
    await expect(person.getByRole('status').filter({ hasText: 'No results' })).toBeVisible()
    await person.context().clearCookies()
    await box(person).fill('al')
    await expect(person.getByRole('status').filter({ hasText: 'Search failed' })).toBeVisible()
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
