import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type AuthorizeOutcome, authorize } from '#lib/core/authorize/authorize.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { signOut } from '#lib/core/logout/end-session.ts'
import { context } from '#lib/core/testing/ports.ts'
import { decodeJwt } from '#lib/core/testing/token-flow.ts'
import { answerTokenRequest } from '#lib/core/token/token.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Hooks, PreAuthentication } from '#lib/ports/extensions.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from './external-sign-in.ts'
import { type PreAuthenticated, preAuthenticate } from './pre-authenticate.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

/** The hooks that a test sets; none are set at its start. */
const current: { -readonly [Name in keyof Hooks]: Hooks[Name] } = {}
const secret = 'a secret that is hard to guess'
const subject = subjectIdSchema.parse('alice')
const bySso = { kind: 'signed_in', subject, name: 'Alice Ames', amr: ['wia'] } as const

let setup: TestSignIn
let mock: TestProvider
let client: Client
before(async () => {
  setup = await openTestSignIn({ hooks: current })
  mock = await startTestProvider()
  await setup.addUser('locked', { enabled: false })
  client = await setup.addClient({}, secret)
  await setup.addClient({ client_id: 'federated', enable_local_login: false })
  await setup.addClient({ client_id: 'legacy', grant_types: ['password'], response_types: [] }, secret)
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(() => {
  for (const name of Object.keys(current)) Reflect.deleteProperty(current, name)
})

const asked = {
  client_id: 'web',
  redirect_uri: 'https://app.example/callback',
  response_type: 'code',
  scope: 'openid api',
}

type Begun = { readonly outcome: AuthorizeOutcome; readonly hooked: PreAuthenticated | null }

async function begin(parameters: Readonly<Record<string, string>> = {}): Promise<Begun> {
  const { ports, browser } = setup
  const sent = parametersFrom({ ...asked, ...parameters })
  const outcome = await authorize(ports, { parameters: sent, session: null, browser }, context)
  const carried = { headers: { 'x-remote-user': 'alice' }, cookies: { intranet: '1' } }
  const input = { ...carried, outcome, browser, previous: [] }
  return { outcome, hooked: await preAuthenticate(ports, input, context) }
}

describe('preAuthenticate', () => {
  test('receives the request, before a page is shown', async () => {
    const seen: unknown[] = []
    current.preAuthenticate = async ({ client, ...request }) => {
      seen.push([client.clientId, request])
      return { kind: 'continue' }
    }
    const { hooked } = await begin({ login_hint: 'alice', acr_values: 'tenant:north' })
    assert.equal(hooked, null)
    const expected = {
      tenant: 'north',
      acrValues: [],
      scopes: ['openid', 'api'],
      loginHint: 'alice',
      mustAuthenticate: false,
      headers: { 'x-remote-user': 'alice' },
      cookies: { intranet: '1' },
      returnedFrom: null,
      request: { requestId: 'test', address: '192.0.2.1', userAgent: null },
    }
    assert.deepEqual(seen, [['web', expected]])
  })

  test('a user whom it signs in gets a session, and the request continues without a page', async () => {
    current.preAuthenticate = async () => bySso
    const { hooked } = await begin()
    assert.ok(hooked?.kind === 'finished' && hooked.outcome.kind === 'signed_in')
    const session = await currentSession(setup.ports, hooked.outcome.session)
    assert.deepEqual([session?.subject, session?.idp, session?.amr], ['alice', 'latchkey', ['wia']])
    const { pending } = hooked
    const next = await resume(setup.ports, { pending, browser: setup.browser, session }, context)
    assert.equal(next.kind, 'respond')
  })

  type Ignored = readonly [name: string, parameters: Readonly<Record<string, string>>, reason: string]
  const ignored: readonly Ignored[] = [
    ['prompt=login', { prompt: 'login' }, 'pre_authenticate_not_new'],
    ['max_age', { max_age: '300' }, 'pre_authenticate_not_new'],
    ['a client without local sign-in', { client_id: 'federated' }, 'pre_authenticate_not_local'],
    ['another provider', { acr_values: 'idp:partner' }, 'pre_authenticate_not_local'],
  ]
  for (const [name, parameters, reason] of ignored) {
    test(`its sign-in does not count for ${name}: the user signs in, and the request trace has the reason`, async () => {
      current.preAuthenticate = async () => bySso
      const { hooked, outcome } = await begin(parameters)
      assert.ok(hooked === null && 'pending' in outcome)
      const { name: event, clientId, flow, reason: why, subject: user } = setup.events.at(-1) ?? {}
      assert.deepEqual([event, clientId], ['sign_in_failed', parameters.client_id ?? 'web'])
      assert.equal(flow, flowOf(setup.ports.hashing.tokenDigest(outcome.pending)))
      assert.deepEqual([why, user], [reason, 'alice'])
      current.preAuthenticate = async () => ({ kind: 'continue' })
      await begin(parameters)
      assert.notEqual(setup.events.at(-1)?.name, 'sign_in_failed')
    })
  }

  test('it cannot sign in a user whose account is locked or unknown', async () => {
    for (const name of ['locked', 'unknown']) {
      current.preAuthenticate = async () => ({ ...bySso, subject: subjectIdSchema.parse(name) })
      const { hooked } = await begin()
      assert.ok(hooked?.kind === 'finished')
      assert.equal(hooked.outcome.kind, 'refused', name)
    }
  })

  test('a request that it refuses has ended: its sign-in page cannot be opened', async () => {
    current.preAuthenticate = async () => ({ kind: 'refused', message: 'This app is closed.' })
    const { outcome, hooked } = await begin()
    assert.ok(hooked?.kind === 'refused' && 'pending' in outcome)
    assert.deepEqual(
      [hooked.page.error.reason, hooked.message],
      ['pre_authenticate_refused', 'This app is closed.'],
    )
    assert.equal(await findInteraction(setup.ports, outcome.pending, setup.browser), null)
    assert.equal(setup.events.at(-1)?.reason, 'pre_authenticate_refused')
  })

  test('it is not called when no user has to sign in', async () => {
    current.preAuthenticate = (): Promise<PreAuthentication> => assert.fail('it was called')
    assert.equal((await begin({ prompt: 'none' })).hooked, null)
    assert.equal((await begin({ scope: 'nonsense' })).hooked, null)
  })
})

describe('postAuthenticate', () => {
  test('its refusal of a password sign-in shows its message, or that the account is refused', async () => {
    for (const message of ['Your contract has ended.', null]) {
      current.postAuthenticate = async () => ({ kind: 'refused', message })
      const outcome = await signIn(setup.ports, form(), context)
      assert.ok(outcome.kind === 'refused')
      const why = message === null ? 'account_refused' : 'message'
      assert.deepEqual([outcome.why, outcome.message], [why, message])
      const { reason, subject: user } = setup.events.at(-1) ?? {}
      assert.deepEqual([reason, user], ['post_authenticate_refused', 'alice'])
    }
  })

  test('it is not asked about a wrong password', async () => {
    current.postAuthenticate = () => assert.fail('it was called')
    const outcome = await signIn(setup.ports, form({ password: 'wrong' }), context)
    assert.ok(outcome.kind === 'refused' && outcome.why === 'credentials')
  })

  test('it receives the claims of the identity provider, and refuses a user of it', async () => {
    const seen: unknown[] = []
    current.postAuthenticate = async ({ idp, amr, providerClaims, via }) => {
      seen.push([idp, amr, providerClaims?.email, via])
      return { kind: 'refused', message: 'Not from this partner.' }
    }
    const { ports, browser } = setup
    mock.now = ports.clock.now()
    const out = await startExternalSignIn(ports, { scheme: 'partner', browser, pending: null }, context)
    assert.ok(out.kind === 'redirect')
    const callback = { scheme: 'partner', parameters: mock.approve(out.url), browser, previous: [] }
    const outcome = await completeExternalSignIn(ports, callback, context)
    assert.ok(outcome.kind === 'refused' && outcome.why === 'message')
    assert.equal(outcome.message, 'Not from this partner.')
    assert.deepEqual(seen, [['partner', ['external'], 'una@partner.example', 'browser']])
  })

  test('its claims are in the access and ID tokens of the session, also after a refresh', async () => {
    current.postAuthenticate = async () => ({ kind: 'accepted', claims: { shift: 'night', sub: 'mallory' } })
    const carried = await pendingRequest(setup, client, { scope: 'openid api offline_access' })
    const signedIn = await signIn(setup.ports, form(carried), context)
    assert.ok(signedIn.kind === 'signed_in')
    const session = await currentSession(setup.ports, signedIn.session)
    const done = await resume(setup.ports, { ...carried, session }, context)
    assert.ok(done.kind === 'respond')
    const { code = '' } = Object.fromEntries(done.fields)
    const first = await redeem({ grant_type: 'authorization_code', code, redirect_uri: asked.redirect_uri })
    const refresh_token = String(first.refresh_token)
    const second = await redeem({ grant_type: 'refresh_token', refresh_token })
    for (const tokens of [first, second]) {
      for (const token of [tokens.access_token, tokens.id_token]) {
        const { payload } = decodeJwt(String(token))
        assert.deepEqual([payload.shift, payload.sub], ['night', 'alice'])
      }
    }
  })

  test('it is asked about the password grant, and its claims are in the token', async () => {
    const request = { grant_type: 'password', scope: 'api', username: 'alice', password: alicePassword }
    current.postAuthenticate = async ({ via }) => ({ kind: 'accepted', claims: { via } })
    const { payload } = decodeJwt(String((await redeem(request, 'legacy')).access_token))
    assert.equal(payload.via, 'password_grant')
    current.postAuthenticate = async () => ({ kind: 'refused', message: 'Your contract has ended.' })
    const refused = await ask(request, 'legacy')
    assert.ok(refused.kind === 'refused')
    assert.deepEqual(
      [refused.refusal.code, refused.refusal.description],
      ['invalid_grant', 'Your contract has ended.'],
    )
  })

  test('a sign-in fails when it fails', async () => {
    current.postAuthenticate = () => Promise.reject(new OauthError('extension_failed'))
    await assert.rejects(signIn(setup.ports, form(), context))
  })
})

describe('signOut', () => {
  test('it is called once, when the session has ended', async () => {
    const seen: unknown[] = []
    const session = await setup.openSession('alice')
    current.signOut = async ({ subject: user, sessionId }) => {
      const found = await setup.ports.sessions.find(session.digest, setup.ports.clock.now())
      seen.push([user, sessionId, found])
    }
    await signOut(setup.ports, session, context)
    await signOut(setup.ports, session, context)
    assert.deepEqual(seen, [['alice', session.sessionId, null]])
  })

  test('its failure is in the request trace, and the user is signed out', async () => {
    const session = await setup.openSession('alice')
    current.signOut = () => Promise.reject(new OauthError('extension_failed'))
    await signOut(setup.ports, session, context)
    assert.equal(await setup.ports.sessions.find(session.digest, setup.ports.clock.now()), null)
    const { name, outcome, reason } = setup.events.at(-1) ?? {}
    assert.deepEqual([name, outcome, reason], ['signed_out', 'failure', 'extension_failed'])
  })
})

function ask(parameters: Readonly<Record<string, string>>, client_id = 'web') {
  const sent = parametersFrom({ client_id, client_secret: secret, ...parameters })
  return answerTokenRequest(setup.ports, { parameters: sent, authorization: null }, context)
}

async function redeem(parameters: Readonly<Record<string, string>>, client?: string) {
  const outcome = await ask(parameters, client)
  assert.ok(outcome.kind === 'issued', JSON.stringify(outcome))
  return outcome.response
}
