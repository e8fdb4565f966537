/** Tests what a sign-in that waits for its second factor gives: nothing. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { createTwoStepUser } from '../fixtures/requests/authenticator.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { app } from '../fixtures/server/suite.ts'

let api: Api
const latchkey = sharedStaff(({ apis }) => {
  api = apis.owner
})

describe('MF-03 half a sign-in gives nothing', () => {
  let browser: HttpBrowser
  let partial: string
  let pending: string
  before(async () => {
    const who = await createTwoStepUser(latchkey.server, api, 'half-signed-in')
    browser = newBrowser(latchkey.issuer)
    const asked = await authorize(browser, codeRequest(app, newProof()), who.user)
    const { searchParams } = new URL(asked.target, latchkey.issuer)
    partial = searchParams.get('partial') ?? ''
    pending = searchParams.get('pending') ?? ''
    assert.ok(partial !== '' && pending !== '')
  })

  test('MF-03 half a sign-in sets no session cookie', () => {
    assert.ok(![...browser.cookies.keys()].some(name => name.endsWith('session')))
  })

  const pages = [
    '/account',
    '/account/password',
    '/account/authenticator',
    '/account/authenticator/remove',
    '/account/links/add?provider=closed',
    '/account/links/remove?link=none',
    '/account/recovery-codes',
    '/account/recovery-codes/download',
    '/account/profile',
    '/account/activity',
    '/account/data',
    '/account/delete',
    '/account/passkeys',
    '/login/confirm?back=%2Faccount',
    '/admin',
    '/admin/users',
    '/admin/clients',
    '/admin/keys',
    '/consent?pending=$pending',
    '/select-account?pending=$pending',
    '/connect/authorize/resume?pending=$pending',
    '/connect/authorize/resume?pending=$pending&partial=$partial',
    '/login?pending=$pending',
    '/login/return?partial=$partial',
    '/login/return?partial=$partial&pending=$pending',
    '/login/new-password?partial=$partial',
    '/login/link?partial=$partial',
    '/login/second-factor?partial=$partial',
    '/login/second-factor/recovery-code?partial=$partial',
    '/login/second-factor/passkey?partial=$partial',
  ]
  for (const page of pages) {
    test(`MF-03 half a sign-in gets no session and no response at ${page}`, async () => {
      const visit = await browser.follow(page.replace('$pending', pending).replace('$partial', partial))
      assert.equal(visit.location, null, 'the app gets no response')
      assert.ok(visit.answer.status >= 400 || visit.target.startsWith('/login'), visit.target)
      assert.ok(![...browser.cookies.keys()].some(name => name.endsWith('session')))
    })
  }

  const requests: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'prompt=none': { prompt: 'none' },
    'a different response type': { response_type: 'id_token', prompt: 'none' },
    max_age: { prompt: 'none', max_age: '3600' },
  }
  for (const [name, changes] of Object.entries(requests)) {
    test(`MF-03 half a sign-in grants no authorization request with ${name}`, async () => {
      const request = codeRequest(app, newProof(), changes)
      const visit = await browser.follow(withQuery('/connect/authorize', request))
      assert.equal(visit.location === null ? null : delivered(visit).get('code'), null)
      assert.equal(visit.location === null ? null : delivered(visit).get('id_token'), null)
    })
  }

  const forms: ReadonlyArray<readonly [path: string, form: Readonly<Record<string, string>>]> = [
    ['/consent', { decision: 'allow', scope: 'openid' }],
    ['/select-account', {}],
    ['/login/new-password', { password: 'seven gray herons', again: 'seven gray herons' }],
    ['/login/second-factor', {}],
    ['/login/second-factor', { code: '' }],
    ['/login/second-factor/recovery-code', { code: '' }],
    ['/login/second-factor/passkey', { ceremony: 'forged', response: '{}' }],
    ['/login/passkey', { ceremony: 'forged', response: '{}' }],
    ['/account/password', { current: 'x', password: 'seven gray herons', again: 'seven gray herons' }],
    ['/account/authenticator', { code: '123456' }],
    ['/account/authenticator/remove', {}],
    ['/account/recovery-codes', {}],
    ['/account/trusted-browsers/end', {}],
    ['/account/sessions/end', {}],
    ['/account/apps/revoke', { client_id: 'trusted' }],
  ]
  for (const [path, form] of forms) {
    test(`MF-03 half a sign-in gets nothing from a form to ${path} with ${JSON.stringify(form)}`, async () => {
      const answer = await browser.post(path, { ...form, pending, partial })
      const target = new URL(answer.headers.location ?? '/', latchkey.issuer)
      assert.ok(answer.status >= 400 || target.origin === latchkey.issuer)
      assert.doesNotMatch(target.search, /code=code_|done=/)
      assert.ok(![...browser.cookies.keys()].some(name => name.endsWith('session')))
    })
  }

  test('MF-03 no handle of half a sign-in is an access token', async () => {
    for (const handle of [partial, pending, ...browser.cookies.values()]) {
      const headers = { authorization: `Bearer ${handle}` }
      for (const path of ['/connect/userinfo', '/api/admin/users', '/api/admin/clients'])
        assert.equal((await send(latchkey.issuer, path, { headers })).status, 401, path)
    }
  })

  test('MF-03 half a sign-in does not continue in a different browser', async () => {
    const stranger = newBrowser(latchkey.issuer)
    assert.equal((await stranger.follow(`/login/second-factor?partial=${partial}`)).answer.status, 400)
  })

  test('MF-03 half a sign-in can still be completed after every refusal', async () => {
    const visit = await browser.follow(`/login/second-factor?partial=${partial}&pending=${pending}`)
    assert.match(visit.target, /^\/login\/second-factor\?partial=prt_/)
  })
})
