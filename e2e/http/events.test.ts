/** Tests that the log contains sign-ins, issued tokens, refusals and revocations. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import {
  allowEverything,
  authorize,
  codeRequest,
  machineToken,
  newProof,
  obtainCode,
  obtainTokens,
  openConsent,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, bob, clientSecret, introspectionScope } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

let api: Api
const latchkey = sharedStaff(({ apis }) => {
  api = apis.owner
})
const request = () => codeRequest(app, newProof())

/** Operations by the event that the log must contain afterwards. */
const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
  sign_in_succeeded: () => authorize(newBrowser(latchkey.issuer), request()),
  authorize_paused: () =>
    newBrowser(latchkey.issuer).follow(withQuery('/connect/authorize', codeRequest(app, newProof()))),
  sign_in_failed: () => authorize(newBrowser(latchkey.issuer), request(), { ...alice, password: 'wrong' }),
  sign_in_limited: async () => {
    for (let count = 0; count < 6; count += 1)
      await authorize(newBrowser(latchkey.issuer), request(), {
        ...bob,
        username: 'guessed',
        password: 'wrong',
      })
  },
  external_sign_in_failed: async () => {
    const browser = newBrowser(latchkey.issuer)
    await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
    await browser.get('/login/external/nowhere/callback?state=made-up&code=made-up')
  },
  request_refused: () =>
    newBrowser(latchkey.issuer).post(
      '/login',
      {},
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ),
  authorize_refused: () => send(latchkey.issuer, '/connect/authorize?client_id=unknown'),
  consent_granted: async () => {
    const { browser, visit } = await openConsent(latchkey.issuer, app)
    await browser.submit(visit, allowEverything(visit))
  },
  consent_denied: async () => {
    const { browser, visit } = await openConsent(latchkey.issuer, app, bob)
    await browser.submit(visit, { decision: 'deny' })
  },
  consent_revoked: async () => {
    const browser = newBrowser(latchkey.issuer)
    await obtainTokens(latchkey.issuer, app, {}, browser)
    await browser.post('/account/apps/revoke', { client_id: 'trusted' })
  },
  signed_out: async () => {
    const browser = newBrowser(latchkey.issuer)
    await authorize(browser, request())
    await browser.submit(await browser.follow('/logout'), {})
  },
  authorize_answered: () => obtainCode(latchkey.issuer, app),
  code_redeemed: () => obtainTokens(latchkey.issuer, app),
  code_replayed: async () => {
    const inHand = await obtainCode(latchkey.issuer, app)
    await redeem(latchkey.issuer, inHand)
    await redeem(latchkey.issuer, inHand)
  },
  tokens_issued: () => machineToken(latchkey.issuer),
  token_refused: () => refresh(latchkey.issuer, `rt_${'a'.repeat(43)}`),
  refresh_token_replayed: async () => {
    const { refresh_token } = await obtainTokens(latchkey.issuer, app)
    const second = (await refresh(latchkey.issuer, refresh_token)).json()
    await refresh(latchkey.issuer, String(second.refresh_token))
    await refresh(latchkey.issuer, refresh_token)
  },
  client_authentication_failed: () =>
    send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'x' },
      headers: basic('machine', 'wrong'),
    }),
  token_revoked: async () => {
    const form = { token: await machineToken(latchkey.issuer, 'machine-reference') }
    await send(latchkey.issuer, '/connect/revocation', {
      form,
      headers: basic('machine-reference', clientSecret),
    })
  },
  token_introspected: async () => {
    const { name, secret } = introspectionScope
    const form = { token: await machineToken(latchkey.issuer) }
    await send(latchkey.issuer, '/connect/introspect', { form, headers: basic(name, secret) })
  },
  token_validated: async () => {
    const token = await machineToken(latchkey.issuer)
    await send(latchkey.issuer, '/connect/accesstokenvalidation', { form: { token } })
  },
  userinfo_answered: async () => {
    const { access_token } = await obtainTokens(latchkey.issuer, app)
    await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(access_token) })
  },
  userinfo_refused: () => send(latchkey.issuer, '/connect/userinfo', { headers: bearer('made-up') }),
  client_authentication_limited: async () => {
    const body = { kind: 'machine', metadata: { client_name: 'Guessed at', client_id: 'guessed' } }
    await api.call('POST', '/clients', { body })
    const headers = basic('guessed', 'wrong')
    for (let count = 0; count < 21; count += 1)
      await send(latchkey.issuer, '/connect/token', { form: { grant_type: 'x' }, headers })
  },
  refresh_retried: async () => {
    const { refresh_token } = await obtainTokens(latchkey.issuer, app)
    await refresh(latchkey.issuer, refresh_token)
    await refresh(latchkey.issuer, refresh_token)
  },
  token_rejected: () => send(latchkey.issuer, withQuery('/connect/accesstokenvalidation', { token: 'x' })),
}

test('LG-01 a malformed request is logged with the request ID of its error page', async () => {
  const before = latchkey.server.output().length
  const answer = await send(latchkey.issuer, '/connect/authorize?client_id=web&client_id=other')
  const line = await logged(latchkey.server, '"authorize_refused"', before)
  const written = JSON.parse(line)
  assert.deepEqual(
    [written.reason, written.requestId],
    ['parameter_repeated', answer.headers['x-reference-id']],
  )
})

describe('LG-01 LG-02 operations are logged with time, request ID and outcome', () => {
  for (const [name, deed] of Object.entries(deeds)) {
    test(`LG-01 LG-02 logs ${name}`, async () => {
      const before = latchkey.server.output().length
      await deed()
      const line = await logged(latchkey.server, `"${name}"`, before)
      const written = JSON.parse(line)
      assert.match(line, /"[2-9A-Z]{4}-[2-9A-Z]{4}"/)
      assert.match(line, /"(success|failure)"/)
      assert.ok(written.time)
    })
  }
})
