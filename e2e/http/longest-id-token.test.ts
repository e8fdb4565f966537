/** Tests that the server accepts its longest ID token as `id_token_hint`, by GET and by POST. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { beforeEach, test } from 'node:test'
import { authorize, codeRequest, delivered, newProof, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { forwardIn, type HttpBrowser, newBrowser } from '../fixtures/requests/http-browser.ts'
import { withQuery } from '../fixtures/requests/http-client.ts'
import { type Addresses, alice, bob, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const client = 'trusted'
const away = `${app}/signed-out`
const latchkey = latchkeySuite({
  configuration: configurationWithClaims,
  environment: {
    LATCHKEY_EXTENSIONS: resolve(import.meta.dirname, '../fixtures/server/long-claims-extensions.ts'),
  },
})

/** The largest size of a user's claims, in bytes of JSON. */
const claimsOfUser = 6144

/** The test configuration with a user whose claims are as large as possible, all of them in the ID token. */
function configurationWithClaims(addresses: Addresses) {
  const { clients, scopes, users, ...rest } = testConfiguration(addresses)
  const name = 'n'.repeat(claimsOfUser - '{"name":""}'.length)
  return {
    ...rest,
    scopes,
    clients: clients.map(each =>
      each.client_id === client ? { ...each, always_include_user_claims_in_id_token: true } : each,
    ),
    users: users.map(each => (each.username === alice.username ? { ...each, claims: { name } } : each)),
  }
}

const asked = { nonce: 'n'.repeat(512), scope: 'openid profile' }
const longState = 's'.repeat(4096)
let browser: HttpBrowser
let hint: string
beforeEach(async () => {
  browser = newBrowser(latchkey.issuer)
  hint = (await obtainTokens(latchkey.issuer, app, asked, browser)).id_token
  assert.ok(hint.length > 17_000, `an ID token of ${hint.length} characters`)
})

const signOut = () => ({ id_token_hint: hint, post_logout_redirect_uri: away })
const request = () =>
  codeRequest(app, newProof(), { ...asked, id_token_hint: hint, prompt: 'none', state: longState })

test('LO-01 sign-out by GET accepts the longest ID token', async () => {
  const visit = await browser.follow(withQuery('/connect/endsession', signOut()))
  assert.equal(visit.location?.href, away)
})

test('LO-01 sign-out by POST accepts the longest ID token', async () => {
  const answer = await browser.post('/connect/endsession', signOut())
  assert.equal(answer.status, 303)
  const visit = await browser.follow(answer.headers.location ?? '')
  assert.equal(visit.location?.href, away)
})

test('an authorization request by GET accepts the longest ID token', async () => {
  const visit = await browser.follow(withQuery('/connect/authorize', request()))
  assert.notEqual(delivered(visit).get('code'), null)
})

test('an authorization request by POST accepts the longest ID token', async () => {
  const answer = await browser.post('/connect/authorize', request())
  const visit = await browser.follow(answer.headers.location ?? forwardIn(answer) ?? '')
  assert.notEqual(delivered(visit).get('code'), null)
})

test('the longest ID token of another user is not overlooked', async () => {
  const other = newBrowser(latchkey.issuer)
  await authorize(other, codeRequest(app, newProof(), asked), bob)
  const visit = await other.follow(withQuery('/connect/authorize', { ...request(), state: 'short' }))
  assert.equal(delivered(visit).get('error'), 'login_required')
})
