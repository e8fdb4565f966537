/** Tests the hybrid flows with `openid-client` and over raw HTTP (OpenID Connect Core 3.3), and responses without tokens. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as oidc from 'openid-client'
import { authorize } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { clientOf } from '../fixtures/requests/relying-party.ts'
import { alice, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const redirectUri = `${app}/callback`
const latchkey = latchkeySuite({
  configuration: addresses => {
    const { clients, ...rest } = testConfiguration(addresses)
    const hybrid = {
      client_id: 'hybrid',
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'implicit', 'refresh_token'],
      response_types: ['code id_token', 'code token', 'code id_token token', 'none'],
      scope: 'openid profile api offline_access',
      require_consent: false,
      pkce: 's256-or-nonce',
    }
    return { ...rest, clients: [...clients, hybrid] }
  },
})

type Parameters = Readonly<Record<string, string>>

/** Sends an authorization request of the hybrid client in a new browser. Returns the address at the client. */
async function arrive(changes: Parameters): Promise<URL> {
  const complete = {
    client_id: 'hybrid',
    redirect_uri: redirectUri,
    scope: 'openid profile api offline_access',
    state: 'state-1',
    nonce: 'nonce-1',
    ...changes,
  }
  const sent = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''))
  const visit = await authorize(newBrowser(latchkey.issuer), sent)
  assert.ok(visit.location, visit.answer.text.slice(0, 500))
  return visit.location
}

const fragment = (address: URL) => new URLSearchParams(address.hash.slice(1))

describe('hybrid flows', () => {
  test('openid-client accepts code id_token: signature, nonce, c_hash, s_hash, then the code', async () => {
    const config = await clientOf(latchkey.issuer, 'hybrid')
    oidc.useCodeIdTokenResponseType(config)
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state: 'state-1',
      nonce: 'nonce-1',
    })
    const address = await arrive(Object.fromEntries(url.searchParams))
    const tokens = await oidc.authorizationCodeGrant(config, address, {
      expectedNonce: 'nonce-1',
      expectedState: 'state-1',
      idTokenExpected: true,
    })
    const profile = await oidc.fetchUserInfo(config, tokens.access_token, alice.sub)
    assert.equal(profile.name, alice.name)
  })

  for (const [type, names] of [
    ['code id_token', ['code', 'id_token']],
    ['code token', ['code', 'access_token']],
    ['code id_token token', ['code', 'id_token', 'access_token']],
  ] as const) {
    test(`${type} returns its parts in the fragment, and the code gives a refresh token`, async () => {
      const address = await arrive({ response_type: type })
      assert.equal(address.search, '')
      const fields = fragment(address)
      const parts = ['code', 'id_token', 'access_token'].filter(name => fields.has(name))
      assert.deepEqual(parts, names)
      assert.equal(fields.has('refresh_token'), false)
      const [token, idToken] = [fields.get('access_token'), fields.get('id_token')]
      const issued = await redeemed(fields.get('code') ?? '')
      assert.equal(issued.status, 200, issued.text)
      const answer = issued.json()
      assert.equal(typeof answer.refresh_token, 'string')
      const later = decode(String(answer.id_token)).payload
      assert.equal(later.nonce, 'nonce-1')
      if (idToken !== null) {
        const first = decode(idToken).payload
        assert.deepEqual([first.iss, first.sub, first.sid], [later.iss, later.sub, later.sid])
      }
      if (token !== null) assert.equal((await userinfo(token)).status, 200)
    })
  }

  test('a code that is redeemed twice ends the tokens of the same response', async () => {
    const fields = fragment(await arrive({ response_type: 'code token' }))
    const [code, token] = [fields.get('code') ?? '', fields.get('access_token') ?? '']
    assert.equal((await redeemed(code)).status, 200)
    assert.equal((await redeemed(code)).status, 400)
    assert.equal((await userinfo(token)).status, 401)
  })

  for (const [name, changes, error] of [
    ['an ID token without a nonce', { response_type: 'code id_token', nonce: '' }, 'invalid_request'],
    ['the mode query', { response_type: 'code id_token', response_mode: 'query' }, 'invalid_request'],
    ['a type without its registration', { response_type: 'id_token token' }, 'unauthorized_client'],
  ] as const) {
    test(`refuses ${name}, in the fragment`, async () => {
      const address = await arrive(changes)
      assert.equal(address.search, '')
      const fields = fragment(address)
      assert.deepEqual([fields.get('error'), fields.get('state')], [error, 'state-1'])
      assert.equal(fields.has('code'), false)
    })
  }

  test('none asks the user, and returns only the state, in the query', async () => {
    const address = await arrive({ response_type: 'none', nonce: '' })
    assert.equal(address.hash, '')
    assert.deepEqual([...address.searchParams.keys()].toSorted(), ['iss', 'state'])
  })

  test('the order of the words does not matter', async () => {
    const fields = fragment(await arrive({ response_type: 'token id_token code' }))
    assert.ok(fields.has('code') && fields.has('id_token') && fields.has('access_token'))
  })
})

const redeemed = (code: string) =>
  send(latchkey.issuer, '/connect/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    headers: basic('hybrid', clientSecret),
  })

const userinfo = (token: string) => send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })
