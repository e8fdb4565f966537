import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Hooks, Validation } from '#lib/ports/extensions.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { authorize } from '../authorize/authorize.ts'
import { endSession, openSignOutRequest, readSignOutParameters } from '../logout/end-session.ts'
import { context } from '../testing/ports.ts'
import { issued, openTestFlow, redemption, refreshing, secret, type TestFlow } from '../testing/token-flow.ts'
import { validParameters } from '../testing/validation-input.ts'

/** The hooks that a test sets; none are set at its start. */
const current: { -readonly [Name in keyof Hooks]: Hooks[Name] } = {}
const custom = 'urn:example:test'
const password = 'alice opens doors'

let flow: TestFlow
before(async () => {
  const granting = { grantType: custom, validate: async () => ({ kind: 'granted' }) as const }
  flow = await openTestFlow({ hooks: current, customGrants: [granting] })
  const grant_types = ['client_credentials', 'password', custom]
  await flow.addClient({ client_id: 'other', grant_types, redirect_uris: [], response_types: [] }, secret)
})
after(() => flow.close())
beforeEach(() => {
  for (const name of Object.keys(current)) Reflect.deleteProperty(current, name)
})

const refusal = { kind: 'refused', error: 'no_license', description: 'There is no license.' } as const

async function ask(parameters: Readonly<Record<string, string>> = {}, isSignedIn = true) {
  const session = isSignedIn ? await flow.openSession('alice') : null
  const browser = flow.ports.random.handle('browser')
  const sent = parametersFrom({ ...validParameters, client_id: flow.client.clientId, ...parameters })
  const outcome = await authorize(flow.ports, { parameters: sent, session, browser }, context)
  return { outcome, fields: outcome.kind === 'respond' ? Object.fromEntries(outcome.fields) : {} }
}

describe('validateAuthorizeRequest', () => {
  test('receives the validated request, without secrets', async () => {
    const seen: unknown[] = []
    current.validateAuthorizeRequest = async ({ client, ...request }) => {
      seen.push([client.clientId, request])
      return { kind: 'accepted' }
    }
    const { fields } = await ask({
      acr_values: 'tenant:north level:2',
      nonce: 'secret nonce',
      login_hint: 'alice',
    })
    assert.match(fields.code ?? '', /^code_/)
    const expected = {
      redirectUri: validParameters.redirect_uri,
      responseType: 'code',
      scopes: ['openid', 'profile'],
      prompts: [],
      maxAgeSeconds: null,
      loginHint: 'alice',
      acrValues: { idp: null, tenant: 'north', others: ['level:2'] },
      subject: 'alice',
    }
    assert.deepEqual(seen, [[flow.client.clientId, expected]])
  })

  test('its refusal goes to the client with its error, description and state, and names the check', async () => {
    current.validateAuthorizeRequest = async () => refusal
    const { fields } = await ask()
    const { error, error_description, state } = fields
    assert.deepEqual([error, error_description, state], ['no_license', 'There is no license.', 'st'])
    const event = flow.events.findLast(({ name }) => name === 'authorize_refused')
    assert.equal(event?.reason, 'authorize_request_not_accepted')
    const failed = event?.checks?.find(({ result }) => result === 'failed')
    assert.equal(failed?.check, 'extension_accepted')
  })

  test('it is not called for a request that the server refuses', async () => {
    current.validateAuthorizeRequest = () => assert.fail('it was called')
    assert.equal((await ask({ scope: 'openid nonsense' })).fields.error, 'invalid_scope')
  })
})

describe('validateRedirectUri', () => {
  test('it refuses a registered redirect URI with a page', async () => {
    current.validateRedirectUri = async ({ redirectUri, use }) =>
      use !== 'sign_in' || redirectUri !== validParameters.redirect_uri
    const { outcome } = await ask()
    assert.ok(outcome.kind === 'error_page')
    assert.equal(outcome.error.reason, 'redirect_uri_not_accepted')
  })

  test('it is not called for a redirect URI that is not registered, and cannot accept one', async () => {
    current.validateRedirectUri = () => assert.fail('it was called')
    const { outcome } = await ask({ redirect_uri: 'https://evil.example/callback' })
    assert.ok(outcome.kind === 'error_page')
    assert.equal(outcome.error.reason, 'redirect_uri_mismatch')
  })

  test('it refuses a registered URI after a sign-out', async () => {
    const redirect = 'https://app.example/bye'
    const parameters = parametersFrom({
      client_id: flow.client.clientId,
      post_logout_redirect_uri: redirect,
    })
    const signOut = async () => {
      const asked = await readSignOutParameters(flow.ports, parameters)
      const input = { asked, session: null, isTopLevelNavigation: true }
      const { request } = await endSession(flow.ports, input, context)
      return openSignOutRequest(flow.ports, request)?.redirect
    }
    assert.equal(await signOut(), redirect)
    current.validateRedirectUri = async ({ use }) => use !== 'sign_out'
    assert.equal(await signOut(), null)
  })
})

/** A token request for each grant type, made again for each use. */
const requests: Readonly<Record<string, () => Promise<readonly [Readonly<Record<string, string>>, string]>>> =
  {
    authorization_code: async () => [redemption(await flow.issueCode()), flow.client.clientId],
    refresh_token: async () => [refreshing((await flow.tokens()).refresh), flow.client.clientId],
    client_credentials: async () => [{ grant_type: 'client_credentials', scope: 'api' }, 'other'],
    password: async () => [{ grant_type: 'password', scope: 'api', username: 'alice', password }, 'other'],
    [custom]: async () => [{ grant_type: custom, scope: 'api', pin: 'secret pin' }, 'other'],
  }

describe('validateTokenRequest', () => {
  test('a parameter that it receives is not called ignored in the event', async () => {
    current.validateTokenRequest = async () => ({ kind: 'accepted' })
    issued(await flow.ask({ ...redemption(await flow.issueCode()), purpose: 'test' }))
    assert.equal(flow.events.findLast(({ name }) => name === 'tokens_issued')?.details, undefined)
  })

  for (const [grantType, prepare] of Object.entries(requests)) {
    test(`${grantType}: it refuses with its error, and uses up nothing`, async () => {
      const [request, clientId] = await prepare()
      const before = await grantCount()
      current.validateTokenRequest = async () => refusal
      const outcome = await flow.ask(request, clientId)
      assert.ok(outcome.kind === 'refused')
      const { wireCode, description } = outcome.refusal
      assert.deepEqual([wireCode, description], ['no_license', 'There is no license.'])
      const event = flow.events.findLast(({ name }) => name === 'token_refused')
      assert.equal(event?.reason, 'token_request_not_accepted')
      const failed = event?.checks?.find(({ result }) => result === 'failed')
      assert.equal(failed?.check, 'extension_accepted')
      assert.equal(await grantCount(), before)
      current.validateTokenRequest = async () => ({ kind: 'accepted' })
      issued(await flow.ask(request, clientId))
    })

    test(`${grantType}: it receives no secret`, async () => {
      const [request, clientId] = await prepare()
      const seen: string[] = []
      current.validateTokenRequest = async asked => {
        seen.push(JSON.stringify(asked))
        assert.equal(asked.grantType, grantType)
        return { kind: 'accepted' }
      }
      issued(await flow.ask(request, clientId))
      assert.equal(seen.length, 1)
      const { code, refresh_token, password: typed, pin } = request
      for (const value of [code, refresh_token, typed, pin, secret])
        assert.ok(value === undefined || !seen[0]?.includes(value), value)
    })
  }

  test('its failure is an internal error with a reason in the request trace', async () => {
    current.validateTokenRequest = () => Promise.reject(new OauthError('extension_failed'))
    const [request, clientId] = await (requests.client_credentials?.() ?? assert.fail())
    const outcome = await flow.ask(request, clientId)
    assert.ok(outcome.kind === 'refused')
    assert.equal(outcome.refusal.code, 'server_error')
    assert.equal(flow.events.findLast(({ name }) => name === 'token_refused')?.reason, 'extension_failed')
  })

  test('it is not called for an expired refresh token', async () => {
    const sliding = { refresh_token_expiration: 'sliding', sliding_refresh_token_lifetime: 60 } as const
    const client = await flow.addClient({ client_id: 'sliding', ...sliding }, secret)
    const { refresh } = await flow.tokens({ client })
    current.validateTokenRequest = () => assert.fail('it was called')
    flow.advance(61)
    const outcome = await flow.ask(refreshing(refresh), client.clientId)
    assert.equal(outcome.kind, 'refused')
    const event = flow.events.findLast(({ name }) => name === 'token_refused')
    assert.equal(event?.reason, 'refresh_token_expired')
  })

  test('it receives parameters that the server does not know', async () => {
    let seen: Readonly<Record<string, string>> = {}
    current.validateTokenRequest = async ({ parameters }) => {
      seen = parameters
      return { kind: 'accepted' }
    }
    const request = { grant_type: 'client_credentials', scope: 'api', region: 'north' }
    issued(await flow.ask(request, 'other'))
    assert.deepEqual(seen, { client_id: 'other', ...request })
  })

  const sendable: ReadonlyArray<
    readonly [
      verdict: Omit<Extract<Validation<string>, { kind: 'refused' }>, 'kind'>,
      code: string | null,
      text: string,
    ]
  > = [
    [{ error: 'mfa_required', description: null }, 'mfa_required', 'The request was refused.'],
    [{ error: 'invalid_client', description: 'x' }, null, 'x'],
    [{ error: 'server_error', description: 'x' }, null, 'x'],
    [{ error: 'say "no"', description: 'say "no"' }, null, 'The request was refused.'],
    [{ error: '', description: '' }, null, 'The request was refused.'],
    [{ error: 'x'.repeat(101), description: 'x'.repeat(201) }, null, 'The request was refused.'],
  ]
  for (const [verdict, code, text] of sendable) {
    test(`RFC 6749 5.2 what is sent of ${JSON.stringify(verdict).slice(0, 80)}`, async () => {
      current.validateTokenRequest = async () => ({ kind: 'refused', ...verdict })
      const [request, clientId] = await (requests.client_credentials?.() ?? assert.fail())
      const outcome = await flow.ask(request, clientId)
      assert.ok(outcome.kind === 'refused')
      assert.deepEqual([outcome.refusal.wireCode, outcome.refusal.description], [code, text])
    })
  }
})

describe('tokenResponse', () => {
  for (const [grantType, prepare] of Object.entries(requests)) {
    test(`${grantType}: its members come in addition to the standard ones`, async () => {
      const [request, clientId] = await prepare()
      current.tokenResponse = async asked => ({ tenant: 'north', asked: asked.grantType })
      const response = issued(await flow.ask(request, clientId))
      assert.deepEqual([response.tenant, response.asked, response.token_type], ['north', grantType, 'Bearer'])
    })
  }

  test('its failure leaves the code unused', async () => {
    const [request, clientId] = await (requests.authorization_code?.() ?? assert.fail())
    current.tokenResponse = async () => assert.fail('no license')
    await assert.rejects(flow.ask(request, clientId))
    current.tokenResponse = async () => ({})
    issued(await flow.ask(request, clientId))
  })
})

async function grantCount(): Promise<number> {
  const { subject } = await flow.openSession('alice')
  return (await flow.ports.grants.liveOf(subject, flow.ports.clock.now())).length
}
