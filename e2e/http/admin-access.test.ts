/** Tests who may open the dashboard, and for how long. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminIn, enter, isInside, openAdmin, signInAt } from '../fixtures/dashboard/administrator.ts'
import { staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser, readForm } from '../fixtures/requests/http-browser.ts'
import { bob } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'

const { owner: olivia } = staff
const latchkey = sharedStaff(() => {})

describe('signing in to the dashboard', () => {
  test('redirects through the sign-in and back to the requested page', async () => {
    const browser = newBrowser(latchkey.issuer)
    const page = await browser.follow('/admin/sign-in?back=/admin/keys')
    const done = await browser.submit(page, olivia)
    assert.equal(done.answer.status, 200)
    assert.equal(done.answer.headers.refresh, '0;url=/admin/keys')
  })

  for (const back of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/account',
    '/admin/../account',
  ]) {
    test(`WF-07 the sign-in to the dashboard never redirects to ${back}`, async () => {
      const browser = newBrowser(latchkey.issuer)
      const page = await browser.follow(`/admin/sign-in?${new URLSearchParams({ back })}`)
      const done = await browser.submit(page, olivia)
      assert.equal(done.answer.headers.refresh, '0;url=/admin')
    })
  }

  test('AD-09 the admin session has a separate cookie: SameSite=Strict, HttpOnly, new at each sign-in', async () => {
    const { browser } = await enter(latchkey.server, olivia)
    const first = browser.cookies.get('latchkey_admin')
    const page = await browser.follow('/admin/sign-in?again=yes')
    const { action, hidden } = readForm(page.answer.text)
    const posted = await browser.post(action, [
      ...hidden,
      ['username', olivia.username],
      ['password', olivia.password],
    ])
    const lines: string[] = []
    let next = posted.headers.location
    while (next !== undefined) {
      const answer = await browser.get(next.replace(latchkey.issuer, ''), { 'sec-fetch-site': 'same-origin' })
      lines.push(...answer.cookies)
      next = answer.headers.location
    }
    const line = lines.find(text => text.startsWith('latchkey_admin=')) ?? ''
    assert.match(line, /; HttpOnly; SameSite=Strict$/)
    const second = browser.cookies.get('latchkey_admin')
    assert.ok(first !== undefined && second !== undefined && first !== second)
    browser.cookies.set('latchkey_admin', first)
    assert.equal(
      (await adminIn(browser).post('keys.rotate', { algorithm: 'ES256' })).headers.location,
      '/admin/sign-in',
    )
  })

  test('a user without a role sees which account is signed in and can use a different account', async () => {
    const browser = newBrowser(latchkey.issuer)
    const before = latchkey.server.output().length
    const done = await signInAt(browser, '/admin/sign-in', bob)
    assert.equal(done.answer.status, 403)
    assert.match(done.answer.text, /signed in as <strong>Bob Baker<\/strong>/)
    assert.match(done.answer.text, /href="\/admin\/sign-in\?again=yes"/)
    assert.ok(!isInside(browser))
    await logged(latchkey.server, 'not_an_administrator', before)
    const asOlivia = await signInAt(browser, '/admin/sign-in?again=yes', olivia)
    assert.equal(asOlivia.answer.status, 200)
    assert.ok(isInside(browser))
  })
})

describe('login CSRF: a callback creates an admin session only in the browser that started the sign-in', () => {
  /** A browser in which olivia has signed in, and the callback with her code, which is not redeemed yet. */
  async function atTheDoor() {
    const browser = newBrowser(latchkey.issuer)
    const page = await browser.follow('/admin/sign-in')
    const { action, hidden } = readForm(page.answer.text)
    const posted = await browser.post(action, [
      ...hidden,
      ['username', olivia.username],
      ['password', olivia.password],
    ])
    const resumed = await browser.get((posted.headers.location ?? '').replace(latchkey.issuer, ''), {
      'sec-fetch-site': 'same-origin',
    })
    const address = new URL(resumed.headers.location ?? '', latchkey.issuer)
    assert.equal(address.pathname, '/admin/callback')
    return { browser, address }
  }
  const changed = (address: URL, name: string, value: string | null) => {
    const url = new URL(address)
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return url.pathname + url.search
  }

  test('accepts an unaltered callback', async () => {
    const { browser, address } = await atTheDoor()
    assert.equal((await browser.get(address.pathname + address.search)).status, 200)
    assert.ok(isInside(browser))
  })
  for (const [what, name, value] of [
    ['a different state', 'state', 'x'],
    ['no state', 'state', null],
    ['a different issuer', 'iss', 'https://evil.example'],
    ['no issuer', 'iss', null],
    ['a made-up code', 'code', `code_${'A'.repeat(43)}`],
    ['no code', 'code', null],
  ] as const) {
    test(`refuses a callback with ${what}`, async () => {
      const { browser, address } = await atTheDoor()
      const answer = await browser.get(changed(address, name, value))
      assert.equal(answer.status, 400)
      assert.match(answer.text, /Sign-in not completed/)
      assert.ok(!isInside(browser))
    })
  }
  test('refuses a code of another user in a browser that started no sign-in, or a different one', async () => {
    const { address } = await atTheDoor()
    const stranger = newBrowser(latchkey.issuer)
    assert.equal((await stranger.get(address.pathname + address.search)).status, 400)
    await stranger.follow('/admin/sign-in')
    assert.equal((await stranger.get(address.pathname + address.search)).status, 400)
    assert.ok(!isInside(stranger))
  })
  test('refuses a callback with a code that was already used', async () => {
    const { browser, address } = await atTheDoor()
    const departure = browser.cookies.get('latchkey_admin_departure') ?? ''
    assert.equal((await browser.get(address.pathname + address.search)).status, 200)
    browser.cookies.delete('latchkey_admin')
    browser.cookies.set('latchkey_admin_departure', departure)
    assert.equal((await browser.get(address.pathname + address.search)).status, 400)
    assert.ok(!isInside(browser))
  })
})

describe('AD-09 the end of an admin session', () => {
  const isLetIn = async (admin: ReturnType<typeof adminIn>) =>
    (await admin.post('keys.rotate', {})).headers.location !== '/admin/sign-in'

  test('AD-09 signing out of the browser session ends the admin session', async () => {
    const admin = await enter(latchkey.server, olivia)
    assert.ok(await isLetIn(admin))
    await admin.browser.post('/logout', {})
    assert.equal(await isLetIn(admin), false)
  })
  test('AD-09 signing out of the dashboard keeps the browser session', async () => {
    const admin = await enter(latchkey.server, olivia)
    const { browser } = admin
    const cookie = browser.cookies.get('latchkey_admin') ?? ''
    assert.equal((await browser.post('/admin/sign-out', {})).headers.location, '/logout')
    browser.cookies.set('latchkey_admin', cookie)
    assert.equal(await isLetIn(admin), false)
    assert.match((await browser.get('/account')).text, new RegExp(olivia.username))
  })
  test('AD-09 removing or changing a role takes effect with the next request', async () => {
    const owner = await enter(latchkey.server, olivia)
    const other = await openAdmin(latchkey.server, { who: bob, by: owner })
    await owner.post('administrators.set_role', { subject: bob.sub, role: 'auditor' })
    assert.equal((await other.post('keys.rotate', { algorithm: 'ES256' })).status, 403)
    await owner.post('administrators.remove', { subject: bob.sub })
    assert.equal(await isLetIn(other), false)
  })
})
