/**
 * Tests forms of the dashboard: no input is lost, no change is overwritten, and no secret is shown twice; and its lists without
 * script.
 */
import type { Page } from 'playwright/test'
import { signIn } from '../fixtures/browser/browser.ts'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import { shownOnce } from '../fixtures/dashboard/locators.ts'
import {
  type Desk,
  expect,
  newClient,
  newUser,
  test,
  tokenFor,
} from '../fixtures/dashboard/owner-in-browser.ts'
import { bringCookies } from '../fixtures/dashboard/shared-owner.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { ageVisits } from '../fixtures/server/stored-rows.ts'

const freshSignInSeconds = 300

test('AD-04 a sensitive form requires a fresh sign-in and returns with its input', async ({
  desk,
  browser,
}) => {
  const [user, { clientId }] = [await newUser(desk), await newClient(desk, 'machine')]
  const context = await browser.newContext({ locale: 'en-GB' })
  await bringCookies(
    context,
    desk.latchkey,
    await openAdmin(desk.latchkey, { role: 'client_manager', who: user }),
  )
  const page = await context.newPage()
  await page.goto(`${desk.latchkey.issuer}/admin/clients/${clientId}/secrets`)
  await ageVisits(desk.latchkey, user.sub, freshSignInSeconds + 1)
  await page.getByLabel('Name', { exact: true }).fill('For the night shift')
  await page.getByRole('button', { name: 'Create secret' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, user)
  await expect(page).toHaveURL(new RegExp(`/admin/clients/${clientId}/secrets`))
  await expect(page.getByText('Thanks, you’re verified')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('For the night shift')
  await page.getByRole('button', { name: 'Create secret' }).click()
  const secret = await shownOnce(page)
  expect((await tokenFor(desk.latchkey.issuer, clientId, secret)).status).toBe(200)
  await context.close()
})

test('AD-04 a sensitive form with a fresh sign-in is submitted directly', async ({ desk }) => {
  const { clientId } = await newClient(desk, 'machine')
  await desk.page.goto(`${desk.latchkey.issuer}/admin/clients/${clientId}/secrets`)
  await desk.page.getByLabel('Name', { exact: true }).fill('Second')
  await desk.page.getByRole('button', { name: 'Create secret' }).click()
  await shownOnce(desk.page)
})

test('AD-05 a secret is shown once, neither after a reload nor by the back button', async ({ desk }) => {
  const { page } = desk
  const { clientId } = await newClient(desk, 'machine')
  const address = `${desk.latchkey.issuer}/admin/clients/${clientId}/secrets`
  await page.goto(address)
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  const secret = await shownOnce(page)
  const shownAt = page.url()
  await page.getByRole('link', { name: 'History' }).click()
  await page.waitForURL(/history/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.content()).not.toContain(secret)
  await page.goto(shownAt)
  await page.reload()
  expect(await page.content()).not.toContain(secret)
})

test('a changed list of redirect URIs applies to pending requests immediately', async ({ desk }) => {
  const { page, latchkey, app } = desk
  const [user, { clientId }] = [await newUser(desk), await newClient(desk, 'web')]
  const underWay = newBrowser(latchkey.issuer)
  const request = codeRequest(app.origin, newProof(), { client_id: clientId, scope: 'openid' })
  const form = await underWay.follow(withQuery('/connect/authorize', request))
  expect(form.target).toMatch(/^\/login/)
  await page.goto(`${latchkey.issuer}/admin/clients/${clientId}`)
  await page.getByLabel('Redirect URIs', { exact: true }).fill('https://elsewhere.example/callback')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Client saved.')).toBeVisible()
  const ended = await underWay.submit(form, { username: user.username, password: user.password })
  expect([ended.location, ended.answer.status], 'nothing is sent to the removed address').toEqual([null, 400])
  // Opens the page again, without the message of the first change
  await page.goto(`${latchkey.issuer}/admin/clients/${clientId}`)
  await page.getByLabel('Redirect URIs', { exact: true }).fill(app.callback)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Client saved.')).toBeVisible()
  expect(delivered(await authorize(newBrowser(latchkey.issuer), request, user)).get('code')).not.toBeNull()
})

test('two admins edit the same user: the second sees both versions, and nothing is overwritten', async ({
  desk,
}) => {
  const { page, office } = desk
  const { sub, username } = await newUser(desk)
  await page.goto(`${desk.latchkey.issuer}/admin/users/${sub}`)
  await page.getByLabel('Full name').fill('The second of two')
  const version = await page.locator('[action$="users.update"] [name=version]').inputValue()
  await office.submit('users.update', { sub, version, username, name: 'The first of two' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'Another admin changed this' })
  await expect(conflict).toBeFocused()
  const row = conflict.getByRole('row', { name: /^Full name/ })
  await expect(row).toContainText('The first of two')
  await expect(row).toContainText('The second of two')
  await expect(page.getByLabel('Full name')).toHaveValue('The second of two')
  expect((await office.get(`/admin/users/${sub}`)).text).toContain('The first of two')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The second of two')
})

test('problems are shown in a focused summary and at their fields, and the input is kept', async ({
  desk,
}) => {
  const { page, latchkey, word } = desk
  await page.goto(`${latchkey.issuer}/admin/clients/new?kind=web`)
  await page.getByLabel('Name').fill(`Wrong ${word}`)
  await page.getByLabel('Redirect URIs', { exact: true }).fill('https://app.example/callback#part')
  await page.getByRole('button', { name: 'Create client' }).click()
  const summary = page.getByRole('alert').filter({ hasText: 'to fix' })
  await expect(summary).toBeFocused()
  await expect(page).toHaveTitle(/^Error: /)
  const field = page.getByLabel('Redirect URIs', { exact: true })
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(/fragment/)
  await expect(field).toHaveValue('https://app.example/callback#part')
  await expect(page.getByLabel('Name')).toHaveValue(`Wrong ${word}`)
  await summary.getByRole('link').click()
  await expect(field).toBeFocused()
})

test('without script, lists can be searched, filtered and paged, and link to their details', async ({
  desk,
  paper,
}) => {
  const { word } = desk
  const user = await newUser(desk)
  const { clientId } = await newClient(desk, 'machine')
  await fillList(desk)
  await choose(paper, 'Users', word)
  await paper.getByRole('link', { name: user.name }).click()
  await expect(paper.getByRole('heading', { level: 1 })).toContainText(user.name)
  await choose(paper, 'Clients', clientId)
  await paper.getByLabel('Kind').selectOption('web')
  await paper.getByRole('button', { name: 'Filter' }).click()
  await expect(paper.getByText('No client matches.')).toBeVisible()
  await paper.getByRole('link', { name: 'Clear' }).click()
  await paper.getByRole('link', { name: 'Next page' }).click()
  await expect(paper).toHaveURL(/after=/)
  await expect(paper.getByRole('table', { name: 'Clients' }).getByRole('row')).not.toHaveCount(1)
  await paper.goto(`${desk.latchkey.issuer}/admin/clients/${clientId}`)
  await paper.getByText('Disable this client').click()
  await paper.getByRole('button', { name: /^Disable Client/ }).click()
  await expect(paper.getByText('Disabled', { exact: true })).toBeVisible()
})

/** Creates clients, so that the list has more than one page. */
async function fillList({ office, word }: Desk): Promise<void> {
  for (let index = 0; index < 12; index++)
    await office.post('clients.create', {
      kind: 'machine',
      client_name: `Row ${word} ${index}`,
      scope: 'api',
    })
}

async function choose(page: Page, area: string, text: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: area }).click()
  await page.locator('main').getByRole('searchbox').fill(text)
  await page.keyboard.press('Enter')
}
