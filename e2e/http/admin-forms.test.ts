/**
 * Tests forms of the dashboard that are sent by other sites, twice, by other browsers, or by admins whose sign-in is too old or
 * whose access has ended.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Admin, adminIn, enter, openAdmin, signInAt } from '../fixtures/dashboard/administrator.ts'
import { type Api, type Member, type Staff, staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { attribute, newBrowser } from '../fixtures/requests/http-browser.ts'
import { type Answer, send } from '../fixtures/requests/http-client.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { ageVisits } from '../fixtures/server/stored-rows.ts'

let all: Staff
let api: Api
const latchkey = sharedStaff(opened => {
  all = opened.all
  api = opened.apis.owner
})

const machine = (id: string) => ({ kind: 'machine', client_name: `Client ${id}`, client_id: id })
const exists = async (id: string) => (await all.owner.get(`/admin/clients/${id}`)).status === 200
const cookieOf = ({ browser }: Admin) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const ownForm = () => ({ origin: latchkey.issuer, 'sec-fetch-site': 'same-origin' })
const isIn = async (admin: Admin) => (await admin.get('/admin')).status === 200

function leadsTo({ status, headers }: Answer): URL {
  assert.equal(status, 303)
  return new URL(headers.location ?? '', latchkey.issuer)
}

describe('WF-04 forms of other sites are refused for a signed-in admin', () => {
  const evil = 'https://evil.example'
  const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ['another site', { origin: evil, 'sec-fetch-site': 'cross-site' }],
    ['another site with Origin: null', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { origin: 'https://x.localhost', 'sec-fetch-site': 'same-site' }],
    ['an old browser, another site', { origin: evil }],
    ['an old browser, another port', { origin: 'http://localhost:1' }],
    ['an old browser, another scheme', { origin: 'https://localhost' }],
    ['an old browser with Origin: null', { origin: 'null' }],
    ['a browser that sends no origin headers', {}],
    ['an address bar', { 'sec-fetch-site': 'none' }],
    ['another site with contradicting headers', { origin: evil, 'sec-fetch-site': 'same-origin' }],
  ]
  for (const [what, said] of rows) {
    test(`WF-04 refuses a form from ${what}`, async () => {
      const form = { ...machine('forged'), _back: '/admin/clients' }
      const headers = { cookie: cookieOf(all.owner), ...said }
      for (const path of ['do/clients.create', 'sign-out', 'configuration/export', 'theme']) {
        const answer = await send(latchkey.issuer, `/admin/${path}`, { form, headers })
        assert.equal(answer.status, 403, path)
        assert.equal((await storyOf(answer)).status, 200, 'an event was recorded')
      }
      assert.equal(await exists('forged'), false)
      assert.ok(await isIn(all.owner), 'the visit goes on')
    })
  }

  test('WF-04 a form address accepts only POST', async () => {
    const query = new URLSearchParams(machine('forged'))
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { cookie: cookieOf(all.owner), ...ownForm() }
      const answer = await send(latchkey.issuer, `/admin/do/clients.create?${query}`, { method, headers })
      assert.equal(answer.status, 405, method)
      assert.equal(answer.headers.allow, 'POST, OPTIONS')
    }
    assert.equal(await exists('forged'), false)
  })

  test('WF-04 refuses bodies that are not forms', async () => {
    const form = new URLSearchParams(machine('forged')).toString()
    const bodies: ReadonlyArray<readonly [string, string]> = [
      ['text/plain', form],
      ['application/json', JSON.stringify(machine('forged'))],
      ['multipart/form-data; boundary=x', `--x\r\n${form}\r\n--x--`],
      ['application/x-www-form-urlencoded; charset=utf-7', form],
      ['', form],
    ]
    for (const [type, body] of bodies) {
      const headers = {
        cookie: cookieOf(all.owner),
        ...ownForm(),
        ...(type === '' ? {} : { 'content-type': type }),
      }
      const answer = await send(latchkey.issuer, '/admin/do/clients.create', { body, headers })
      assert.equal(answer.status, 415, type)
    }
    assert.equal(await exists('forged'), false)
  })

  test('answers 404 or 405 to an unknown use case', async () => {
    for (const name of ['clients.nowhere', 'constructor', '__proto__', 'toString'])
      assert.ok([404, 405].includes((await all.owner.post(name, {})).status), name)
  })
})

function storyOf(answer: Answer): Promise<Answer> {
  return all.owner.get(`/admin/events/requests/${String(answer.headers['x-reference-id'])}`)
}

test('AD-04 creating a client requires a fresh sign-in, which keeps the input of the wizard', async () => {
  const { who, other } = await openManager('tired')
  const typed = {
    kind: 'web',
    client_name: 'Typed but once',
    client_id: 'typed',
    redirect_uris: 'https://typed.example/callback',
    scope: 'openid',
  }
  await ageVisits(latchkey.server, who.sub, 301)
  const away = leadsTo(await other.post('clients.create', typed, '/admin/clients/new?kind=web'))
  assert.equal(away.pathname, '/admin/sign-in')
  assert.equal(await exists('typed'), false)
  await signInAt(other.browser, away.pathname + away.search, who)
  const { text } = await other.get(away.searchParams.get('back') ?? '')
  assert.match(text, /Thanks, you’re verified/)
  for (const value of Object.values(typed)) assert.ok(text.includes(value), value)
  assert.ok(leadsTo(await other.post('clients.create', typed)).searchParams.has('one_time_result'))
})

describe('submitting the same form twice', () => {
  test('a repeated form creates nothing twice, and the page says why', async () => {
    const first = leadsTo(await all.owner.post('clients.create', machine('once')))
    assert.ok(first.searchParams.has('one_time_result'))
    const second = leadsTo(
      await all.owner.post('clients.create', machine('once'), '/admin/clients/new?kind=machine'),
    )
    assert.ok(second.searchParams.has('rejected_form'))
    const page = await all.owner.get(second.pathname + second.search)
    assert.match(page.text, /client_id-error/)
  })

  test('the second of two changes from the same page is a conflict', async () => {
    const page = '/admin/clients/once'
    const version = /name="version" value="(\d+)"/.exec((await all.owner.get(page)).text)?.[1] ?? ''
    const change = {
      ...machine('once'),
      enabled: 'true',
      version,
      grant_types: 'client_credentials',
      client_name: 'Twice',
    }
    assert.equal(
      leadsTo(await all.owner.post('clients.update', change, page)).searchParams.get('done'),
      'clients.update',
    )
    const again = leadsTo(await all.owner.post('clients.update', { ...change, client_name: 'Thrice' }, page))
    const shown = await all.owner.get(again.pathname + again.search)
    assert.match(shown.text, /Another admin changed this/)
    assert.doesNotMatch((await all.owner.get(page)).text, /<h1[^>]*>[^<]*Thrice/)
  })

  test('twenty concurrent submissions create one object', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => all.owner.post('clients.create', machine('crowded'))),
    )
    const made = answers.filter(answer => leadsTo(answer).searchParams.has('one_time_result'))
    assert.equal(made.length, 1)
  })

  test('AD-05 a secret is shown once, in the browser that created it', async () => {
    const shown = leadsTo(
      await all.owner.post('clients.create', machine('secretive'), '/admin/clients/secretive/setup'),
    )
    const address = shown.pathname + shown.search
    const pattern = /lks_[A-Za-z0-9_-]{20,}/
    for (const other of [all.client_manager, await enter(latchkey.server, staff.owner)])
      assert.doesNotMatch((await other.get(address)).text, pattern)
    const { browser } = all.owner
    const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
    const head = await send(latchkey.issuer, address, { method: 'HEAD', headers: { cookie } })
    assert.equal(head.status, 200)
    assert.equal((await browser.get(address, { 'sec-purpose': 'prefetch' })).status, 400)
    assert.match((await all.owner.get(address)).text, pattern)
    assert.doesNotMatch((await all.owner.get(address)).text, pattern)
  })
})

test('the review of the policies leads back to the form with the typed values, of which nothing is saved', async () => {
  const typed = { registration: 'invited', terms_version: '2031-07', profile_fields: '' }
  const { answer } = await all.owner.submit('policies.preview', typed, '/admin/policies')
  assert.match(answer.text, /Review your changes/)
  const [form = ''] = /<form[^>]*\bid="edit"[\s\S]*?<\/form>/.exec(answer.text) ?? []
  assert.match(answer.text, /<button[^>]*\bform="edit"/)
  const hidden = [...form.matchAll(/<input\b[^>]*>/g)].map(
    ([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')] as const,
  )
  const again = leadsTo(await all.owner.browser.post(attribute(form, 'action'), hidden))
  const { text } = await all.owner.get(again.pathname + again.search)
  const inputs = [...text.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
  const named = (name: string) => inputs.filter(tag => attribute(tag, 'name') === name)
  assert.deepEqual(
    named('terms_version').map(tag => attribute(tag, 'value')),
    ['2031-07'],
  )
  const ticked = named('profile_fields').filter(tag => /\schecked/.test(tag))
  assert.deepEqual(ticked, [], 'an emptied list stays empty')
  assert.match(text, /Review changes/)
  const { json } = await api.call('GET', '/policies')
  assert.notEqual(json().terms_version, '2031-07')
})

test('AD-05 the list says which secret replaces a rotated one, which cannot be rotated again', async () => {
  const address = '/admin/clients/turning/secrets'
  await all.owner.post('clients.create', machine('turning'))
  const rotations = async () =>
    (await all.owner.get(address)).text.match(/name="secret_id" value="[^"]+"(?=.{0,400}overlap_hours)/gs) ??
    []
  const [first = '', ...others] = await rotations()
  assert.deepEqual(others, [])
  const secretId = /value="([^"]+)"/.exec(first)?.[1] ?? assert.fail()
  const rotation = { client_id: 'turning', secret_id: secretId, overlap_hours: '24' }
  await all.owner.post('clients.rotate_secret', rotation, address)
  assert.match((await all.owner.get(address)).text, /Replaced by “(<!-- -->)?First secret \(2\)/)
  const left = await rotations()
  assert.equal(left.length, 1)
  assert.ok(!left.includes(first), 'the new secret can be rotated')
})

for (const address of [
  '/admin/clients/new?kind=web',
  '/admin/clients/new?kind=machine',
  '/admin/clients/web',
])
  test(`AD-03 ${address} marks the scope with full access, apart from the other scopes`, async () => {
    const { text } = await all.owner.get(address)
    const boxes = [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, value]) => value)
    assert.equal(boxes.indexOf('latchkey.admin'), boxes.length - 1, String(boxes))
    assert.match(text, /class="boxes-apart">.{0,300}value="latchkey\.admin".{0,300}>Full access</s)
  })

describe('AD-09 a cookie is valid only for its purpose and session', () => {
  test('AD-09 the browser session cookie does not open the dashboard, nor the admin cookie the account page', async () => {
    const session = all.owner.browser.cookies.get('latchkey_session') ?? assert.fail()
    const visit = all.owner.browser.cookies.get('latchkey_admin') ?? assert.fail()
    const browser = newBrowser(latchkey.issuer)
    browser.cookies.set('latchkey_admin', session)
    assert.equal(
      leadsTo(await adminIn(browser).post('clients.create', machine('x'))).pathname,
      '/admin/sign-in',
    )
    browser.cookies.set('latchkey_session', visit)
    assert.doesNotMatch((await browser.get('/account')).text, new RegExp(staff.owner.username))
  })

  const ends: ReadonlyArray<readonly [string, (sub: string, other: Admin) => Promise<unknown>]> = [
    ['is locked', sub => all.owner.post('users.set_enabled', { sub, enabled: 'false' })],
    ['is signed out everywhere', sub => all.owner.post('grants.end_sessions_of_user', { sub })],
    ['gets a new password', sub => all.owner.post('users.reset_password', { sub })],
    ['loses their factors', sub => all.owner.post('users.reset_factors', { sub, sign_out: 'true' })],
    ['loses the role', subject => all.owner.post('administrators.remove', { subject })],
    ['signs out', (_sub, other) => other.browser.post('/logout', {})],
  ]
  for (const [what, end] of ends) {
    test(`AD-09 an administrator who ${what} is refused with the next request`, async () => {
      const { who, other } = await openManager(what.replaceAll(' ', '-'))
      assert.ok(await isIn(other))
      await end(who.sub, other)
      const client = `after-${what.replaceAll(' ', '-')}`
      assert.equal(leadsTo(await other.post('clients.create', machine(client))).pathname, '/admin/sign-in')
      assert.equal(await isIn(other), false)
      assert.equal(await exists(client), false)
    })
  }
})

/** Creates a client manager and signs them in. */
async function openManager(username: string): Promise<{ readonly who: Member; readonly other: Admin }> {
  const who = await createUser(latchkey.issuer, api, username)
  const other = await openAdmin(latchkey.server, { role: 'client_manager', who, by: all.owner })
  return { who, other }
}
