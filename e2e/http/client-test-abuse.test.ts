/** Tests that a client test gives no access: others cannot use its redirect URI, request and response. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Admin, enter, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { type Staff, staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { beginTest, testDeparture } from '../fixtures/dashboard/client-test.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { createUser } from '../fixtures/requests/own-password.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'

let all: Staff
let admin: Admin
/** A second owner. */
let other: Admin
const latchkey = sharedStaff(async (opened, server) => {
  all = opened.all
  admin = all.owner
  const who = await createUser(server.issuer, opened.apis.owner, 'another-owner')
  other = await openAdmin(server, { who, by: admin })
})

describe('AZ-04 the redirect URI of client tests belongs to hidden clients', () => {
  const address = () => `${latchkey.issuer}/admin/client-test/return`

  function ordinary(changes: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({
      client_id: 'trusted',
      redirect_uri: address(),
      response_type: 'code',
      scope: 'openid',
      state: 'mine',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...changes,
    })
    return `/connect/authorize?${query}`
  }

  async function refused(target: string, by = admin.browser): Promise<void> {
    const answer = await by.get(target, { 'sec-fetch-site': 'same-origin' })
    assert.equal(answer.status, 400, target)
    assert.equal(answer.headers.location, undefined)
  }

  test('an ordinary authorization request with the redirect URI of client tests is refused, also for the admin', async () => {
    await refused(ordinary())
    await refused(ordinary({ state: `tst_${'a'.repeat(43)}` }))
    await refused(ordinary(), newBrowser(latchkey.issuer))
  })

  for (const [what, change] of [
    ['the tested client itself', { client_id: 'trusted' }],
    ['another client', { client_id: 'other' }],
    ['an unknown hidden client', { client_id: `tst_${'a'.repeat(43)}` }],
  ] as const) {
    test(`the authorization request of a test is refused when sent by ${what}`, async () => {
      const url = new URL(await testDeparture(admin, 'trusted'), latchkey.issuer)
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
      await refused(url.pathname + url.search)
    })
  }

  for (const [what, change] of [
    ['another code challenge', { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }],
    ['no code challenge', { code_challenge: '', code_challenge_method: '' }],
    ['another nonce', { nonce: 'mine' }],
  ] as const) {
    test(`an authorization request with ${what} fails the test`, async () => {
      const url = new URL(await testDeparture(admin, 'trusted'), latchkey.issuer)
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
      const { answer } = await admin.browser.follow(url.pathname + url.search)
      assert.match(answer.text, /The test failed/)
    })
  }

  for (const uri of ['/', '?x=1', '#x', '/../return']) {
    test(`refuses the similar redirect URI …return${uri}`, async () => {
      const url = new URL(await testDeparture(admin, 'trusted'), latchkey.issuer)
      url.searchParams.set('redirect_uri', `${address()}${uri}`)
      await refused(url.pathname + url.search)
    })
  }

  test('the request of a test is refused in another browser, with or without another user', async () => {
    const target = await testDeparture(admin, 'trusted')
    await refused(target, newBrowser(latchkey.issuer))
    await refused(target, other.browser)
  })

  test('the request of a test is refused for the same admin in another browser', async () => {
    const target = await testDeparture(admin, 'trusted')
    await refused(target, (await enter(latchkey.server, staff.owner)).browser)
  })

  test('the code of a client that registered the redirect URI of client tests reaches no one', async () => {
    await admin.submit('clients.add_redirect_uri', { client_id: 'reusable', redirect_uri: address() })
    const answer = await admin.get(ordinary({ client_id: 'reusable' }))
    const { location = '' } = answer.headers
    assert.equal((await admin.get(location.slice(latchkey.issuer.length))).status, 400)
  })
})

describe('AZ-05 the response to a test is accepted once, in the session that started the test', () => {
  /** The callback with the code of a test, which is not opened yet. */
  async function arrival(): Promise<string> {
    const answer = await admin.get(await testDeparture(admin, 'trusted'))
    const { location = '' } = answer.headers
    return location.slice(latchkey.issuer.length)
  }

  test('AZ-05 a second response is refused, and the test cannot be requested again', async () => {
    const departed = await testDeparture(admin, 'trusted')
    const { location = '' } = (await admin.get(departed)).headers
    const back = location.slice(latchkey.issuer.length)
    assert.equal((await admin.get(back)).status, 303)
    assert.equal((await admin.get(back)).status, 400)
    assert.equal((await admin.get(departed)).status, 400)
  })

  test('AZ-05 another admin can neither receive nor invalidate the response of a test', async () => {
    const back = await arrival()
    assert.equal((await other.get(back)).status, 400)
    assert.equal((await admin.get(back)).status, 303)
  })

  test('AZ-05 a browser without an admin session is redirected to sign in, and the code stays unused', async () => {
    const back = await arrival()
    const stranger = newBrowser(latchkey.issuer)
    const landed = await stranger.get(back)
    assert.match(String(landed.headers.refresh), /^0;url=\/admin\/client-test\/return\?/)
    const next = String(landed.headers.refresh).slice('0;url='.length)
    assert.equal((await stranger.get(next)).headers.location, '/admin/sign-in')
    assert.equal((await admin.get(back)).status, 303)
  })

  test('AZ-05 a response with a different state, or none, is refused', async () => {
    const url = new URL(await arrival(), latchkey.issuer)
    url.searchParams.set('state', `tst_${'b'.repeat(43)}`)
    assert.equal((await admin.get(url.pathname + url.search)).status, 400)
    url.searchParams.delete('state')
    assert.equal((await admin.get(url.pathname + url.search)).status, 400)
  })

  test('a response with a different iss (RFC 9207) fails the test', async () => {
    const url = new URL(await arrival(), latchkey.issuer)
    url.searchParams.set('iss', 'https://evil.example')
    const result = await admin.browser.follow(url.pathname + url.search)
    assert.match(result.answer.text, /does not name this server as its issuer/)
  })

  test('the code of a test cannot be redeemed at the token endpoint: it knows no hidden client', async () => {
    const back = new URL(await arrival(), latchkey.issuer)
    const request = {
      grant_type: 'authorization_code',
      redirect_uri: `${latchkey.issuer}/admin/client-test/return`,
      code: back.searchParams.get('code') ?? '',
    }
    const tested = { ...request, client_id: 'trusted', client_secret: clientSecret }
    const byTested = await admin.browser.post('/connect/token', tested)
    assert.deepEqual([byTested.status, byTested.json().error], [400, 'invalid_grant'])
    const hidden = {
      ...request,
      client_id: back.searchParams.get('state') ?? '',
      client_secret: clientSecret,
    }
    const byHidden = await admin.browser.post('/connect/token', hidden)
    assert.deepEqual([byHidden.status, byHidden.json().error], [401, 'invalid_client'])
  })

  test('WF-04 another site can neither start a test nor submit its response', async () => {
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const start = await admin.browser.post(
      '/admin/do/clients.begin_test',
      { client_id: 'trusted' },
      crossSite,
    )
    assert.equal(start.status, 403)
    const back = new URL(await arrival(), latchkey.issuer)
    const answered = await admin.browser.post('/admin/client-test/return', [...back.searchParams], crossSite)
    assert.equal(answered.status, 403)
  })
})

describe('AD-01 permission to test a client', () => {
  for (const role of ['user_support', 'auditor'] as const) {
    test(`AD-01 ${role} sees a disabled button, and a crafted request is refused`, async () => {
      assert.match(
        (await all[role].get('/admin/clients/trusted/test')).text,
        /<button[^>]*disabled=""[^>]*>Run the test/,
      )
      assert.equal((await beginTest(all[role], 'trusted')).status, 403)
    })
  }

  test('AD-01 a client manager can test a client', async () => {
    assert.equal((await beginTest(all.client_manager, 'trusted')).status, 303)
  })
})
