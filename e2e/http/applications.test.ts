/** Tests the settings that well-known applications need to connect. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as jose from 'jose'
import { sentToClient } from '../fixtures/requests/authorization-response.ts'
import {
  authorize,
  codeRequest,
  delivered,
  newProof,
  obtainTokens,
  type Parameters,
  redeem,
  refresh,
} from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { logged } from '../fixtures/server/latchkey.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const latchkey = latchkeySuite({
  configuration: addresses => {
    const { clients, scopes, users, ...rest } = testConfiguration(addresses)
    const web = clients.find(({ client_id }) => client_id === 'trusted')
    return {
      ...rest,
      // Leaves out the identity scopes, so that the built-in ones are used unchanged
      scopes: scopes.filter(({ kind }) => kind === 'resource'),
      clients: [
        ...clients,
        { ...web, client_id: 'nonce', pkce: 's256-or-nonce' },
        { ...web, client_id: 'no-hint', sign_out_prompt: 'if-required' },
        { ...web, client_id: 'java', access_token_format: 'rfc9068-jwt' },
        {
          ...web,
          client_id: 'reads-id-token',
          scope: `${web?.scope} groups`,
          always_include_user_claims_in_id_token: true,
        },
      ],
      users: users.map(user => ({ ...user, claims: { ...user.claims, groups: 'staff' } })),
    }
  },
})

const withoutPkce = { code_challenge: '', code_challenge_method: '' }

describe('CD-08 a client that may send a nonce in place of PKCE', () => {
  const asked = { client_id: 'nonce', ...withoutPkce }
  const open = (changes: Parameters) =>
    send(latchkey.issuer, withQuery('/connect/authorize', codeRequest(app, newProof(), changes)))
  test('gets the nonce back in its ID token', async () => {
    const browser = newBrowser(latchkey.issuer)
    const proof = newProof()
    const visit = await authorize(browser, codeRequest(app, proof, { ...asked, nonce: 'n-0S6' }))
    const code = delivered(visit).get('code') ?? ''
    const inHand = { code, proof, clientId: 'nonce', redirectUri: `${app}/callback` }
    assert.equal((await redeem(latchkey.issuer, inHand)).json().error, 'invalid_grant')
    const answer = await redeem(latchkey.issuer, inHand, { code_verifier: '' })
    assert.equal(decode(String(answer.json().id_token)).payload.nonce, 'n-0S6')
  })
  test('may still use PKCE with S256, and then needs no nonce', async () => {
    const tokens = await obtainTokens(latchkey.issuer, app, { client_id: 'nonce', nonce: '' })
    assert.match(tokens.access_token, /^ey/)
  })
  for (const [title, changes] of [
    ['without both', { nonce: '' }],
    ['with a nonce that no ID token can return', { nonce: 'n', scope: 'api' }],
    [
      'with a plain challenge',
      { nonce: 'n', code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
    ],
  ] as const) {
    test(`is refused ${title}`, async () => {
      const fields = sentToClient(await open({ ...asked, ...changes }), '?')
      assert.equal(fields.get('error'), 'invalid_request')
      assert.match(fields.get('error_description') ?? '', /PKCE with .*S256/)
    })
  }
})

const userinfo = (token: string) => send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })

test('with the scope profile, userinfo has the user name of a user without the claim preferred_username', async () => {
  const browser = newBrowser(latchkey.issuer)
  const tokens = await obtainTokens(latchkey.issuer, app, { scope: 'openid profile' }, browser)
  assert.equal((await userinfo(tokens.access_token)).json().preferred_username, 'alice')
  const without = await obtainTokens(latchkey.issuer, app, { scope: 'openid email' }, browser)
  assert.equal((await userinfo(without.access_token)).json().preferred_username, undefined)
})

test('an API that refuses typ at+jwt gets the claims of RFC 9068 with typ JWT, which every endpoint here accepts', async () => {
  const { access_token, id_token } = await obtainTokens(latchkey.issuer, app, { client_id: 'java' })
  const keys = jose.createRemoteJWKSet(new URL(`${latchkey.issuer}/.well-known/jwks`))
  const audience = `${latchkey.issuer}/resources`
  const { payload } = await jose.jwtVerify(access_token, keys, {
    issuer: latchkey.issuer,
    audience,
    typ: 'JWT',
  })
  assert.deepEqual([payload.sub, payload.client_id], ['alice-0001', 'java'])
  assert.equal((await userinfo(access_token)).status, 200)
  assert.equal((await userinfo(id_token)).status, 401)
  const introspected = { form: { token: access_token }, headers: basic('java', clientSecret) }
  assert.equal((await send(latchkey.issuer, '/connect/introspect', introspected)).json().active, true)
  const validate = (name: string, form: Parameters) => send(latchkey.issuer, `/connect/${name}`, { form })
  assert.equal((await validate('accesstokenvalidation', { token: access_token })).status, 200)
  assert.equal((await validate('accesstokenvalidation', { token: id_token })).status, 400)
  const asIdToken = { token: access_token, client_id: 'java' }
  assert.equal((await validate('identitytokenvalidation', asIdToken)).status, 400)
})

describe('a client that reads only the ID token', () => {
  const scope = 'openid profile email groups offline_access'
  test('finds every claim of the granted scopes in it, also after a refresh', async () => {
    const tokens = await obtainTokens(latchkey.issuer, app, { client_id: 'reads-id-token', scope })
    const again = await refresh(latchkey.issuer, tokens.refresh_token, {}, 'reads-id-token')
    for (const token of [tokens.id_token, String(again.json().id_token)]) {
      const { payload } = decode(token)
      assert.deepEqual(
        [payload.preferred_username, payload.name, payload.email, payload.email_verified, payload.groups],
        ['alice', 'Alice Liddell', 'alice@example.org', true, ['staff']],
      )
      assert.equal(payload.role, undefined, 'of a scope that was not requested')
    }
  })
  test('is an exception: the ID token of another client has none of these claims', async () => {
    const { id_token } = await obtainTokens(latchkey.issuer, app, { scope: 'openid profile email' })
    const { payload } = decode(id_token)
    assert.deepEqual([payload.name, payload.email], [undefined, undefined])
  })
})

test('a client gets groups only if it is allowed the scope', async () => {
  const asked = codeRequest(app, newProof(), { scope: 'openid groups' })
  const answer = await send(latchkey.issuer, withQuery('/connect/authorize', asked))
  assert.equal(sentToClient(answer, '?').get('error'), 'invalid_scope')
  const allowed = { client_id: 'reads-id-token', scope: 'openid groups' }
  const tokens = await obtainTokens(latchkey.issuer, app, allowed)
  assert.deepEqual((await userinfo(tokens.access_token)).json(), { sub: 'alice-0001', groups: ['staff'] })
  const metadata = (await send(latchkey.issuer, '/.well-known/openid-configuration')).json()
  assert.ok(Array.isArray(metadata.scopes_supported) && metadata.scopes_supported.includes('groups'))
  assert.ok(Array.isArray(metadata.claims_supported) && metadata.claims_supported.includes('groups'))
})

test('a client that cannot send an id_token_hint signs users out and gets them back if its setting allows it', async () => {
  const signOut = async (clientId: string) => {
    const browser = newBrowser(latchkey.issuer)
    await obtainTokens(latchkey.issuer, app, { client_id: clientId }, browser)
    const asked = { client_id: clientId, post_logout_redirect_uri: `${app}/signed-out` }
    return browser.follow(withQuery('/connect/endsession', asked))
  }
  assert.match((await signOut('trusted')).target, /^\/logout\?request=/)
  assert.equal((await signOut('no-hint')).answer.headers.location, `${app}/signed-out`)
})

test('the log line of a request without PKCE names the two places where it is mended', async () => {
  const from = latchkey.server.output().length
  const request = codeRequest(app, newProof(), { client_id: 'trusted', ...withoutPkce })
  await send(latchkey.issuer, withQuery('/connect/authorize', request))
  const line = await logged(latchkey.server, 'code_challenge_missing', from)
  assert.match(line, /Turn PKCE with S256 on in the application/)
  assert.match(line, /set the client’s pkce to s256-or-nonce/)
})
