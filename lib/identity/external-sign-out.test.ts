import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { noPresetValues } from '#lib/protocol/registration/provider-presets.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from './external-sign-in.ts'
import { finishExternalSignOut, startExternalSignOut } from './external-sign-out.ts'
import { currentSession, signOutView } from './session.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

const next = 'https://app.example/bye?state=1'
let setup: TestSignIn
let mock: TestProvider

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(async () => {
  await register()
})

const register = (changes: Partial<IdentityProvider> = {}) =>
  setup.addProvider('partner', {
    issuer: mock.issuer,
    ...testProviderClient,
    signOutAtProvider: true,
    preset: 'openid_connect',
    ...noPresetValues,
    secondFactorValues: [],
    ...changes,
  })

/**
 * Signs a user in. NOTE: the clock moves past `lifetimeSeconds.providerMetadata`, so that no cached metadata is used.
 */
async function signedIn(endSession: string | null = `${mock.issuer}/endsession?tenant=1`): Promise<Session> {
  setup.advance(lifetimeSeconds.providerMetadata)
  mock.now = setup.ports.clock.now()
  mock.faults = {
    metadata: honest => (endSession === null ? honest : { ...honest, end_session_endpoint: endSession }),
  }
  const { ports, browser } = setup
  const out = await startExternalSignIn(ports, { scheme: 'partner', browser, pending: null }, context)
  assert.ok(out.kind === 'redirect', JSON.stringify(out))
  const callback = { scheme: 'partner', parameters: mock.approve(out.url), browser, previous: [] }
  const outcome = await completeExternalSignIn(ports, callback, context)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  const session = await currentSession(ports, outcome.session)
  assert.ok(session)
  return session
}

async function leave(session: Session): Promise<URL | null> {
  const url = await startExternalSignOut(setup.ports, { session, browser: setup.browser, next }, context)
  return url === null ? null : new URL(url)
}

const comeBack = (state: string | null, changes: { scheme?: string; browser?: TestSignIn['browser'] } = {}) =>
  finishExternalSignOut(setup.ports, {
    scheme: 'partner',
    state: state ?? undefined,
    browser: setup.browser,
    ...changes,
  })

test('a user is signed out at the provider, with the ID token of the sign-in, and continues once', async () => {
  const url = await leave(await signedIn())
  assert.equal(url?.href.split('?')[0], `${mock.issuer}/endsession`)
  const { state, id_token_hint, ...sent } = Object.fromEntries(url?.searchParams ?? [])
  assert.deepEqual(sent, {
    tenant: '1',
    client_id: testProviderClient.clientId,
    post_logout_redirect_uri: 'https://id.example/logout/external/partner/return',
  })
  const [, payload = ''] = id_token_hint?.split('.') ?? []
  assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).sub, 'upstream-1')
  assert.equal(await comeBack(state ?? null), next)
  assert.equal(await comeBack(state ?? null), null, 'a repeated return')
})

test('the sign-out page names the sign-out at the provider only while the provider is enabled', async () => {
  const session = await signedIn()
  assert.equal((await signOutView(setup.ports, session)).endsAtProvider, true)
  await register({ enabled: false })
  assert.equal((await signOutView(setup.ports, session)).endsAtProvider, false)
})

test('a return in another browser, at another provider, late or forged leads nowhere', async () => {
  const session = await signedIn()
  const stateOf = async () => (await leave(session))?.searchParams.get('state') ?? null
  assert.equal(await comeBack(await stateOf(), { browser: setup.ports.random.handle('browser') }), null)
  assert.equal(await comeBack(await stateOf(), { scheme: 'school' }), null)
  assert.equal(await comeBack(setup.ports.random.handle('externalSignOutState')), null)
  assert.equal(await comeBack(null), null)
  const late = await stateOf()
  setup.advance(lifetimeSeconds.externalSignIn)
  assert.equal(await comeBack(late), null)
})

test('FD-02 the state of a sign-out does not complete a sign-in, nor the reverse', async () => {
  const session = await signedIn()
  const state = (await leave(session))?.searchParams.get('state') ?? ''
  const { ports, browser } = setup
  const callback = { scheme: 'partner', parameters: { code: 'x', state }, browser, previous: [] }
  assert.equal((await completeExternalSignIn(ports, callback, context)).kind, 'expired')
  const out = await startExternalSignIn(ports, { scheme: 'partner', browser, pending: null }, context)
  assert.ok(out.kind === 'redirect')
  assert.equal(await comeBack(new URL(out.url).searchParams.get('state')), null)
})

test('the ID token is stored sealed, and only if the sign-out needs it', async () => {
  const { details } = await signedIn()
  assert.match(details.sealedIdToken ?? '', /^sealed1\./)
  await register({ signOutAtProvider: false })
  const session = await signedIn()
  assert.equal(session.details.sealedIdToken, undefined)
  assert.equal(await leave(session), null)
})

test('a session from before the setting has no hint: the client ID is sent', async () => {
  await register({ signOutAtProvider: false })
  const session = await signedIn()
  await register()
  const url = await leave(session)
  assert.equal(url?.searchParams.has('id_token_hint'), false)
  assert.equal(url?.searchParams.get('client_id'), testProviderClient.clientId)
})

test('a local user, and one whose provider has no sign-out endpoint or is disabled, are not redirected', async () => {
  assert.equal(await leave(await setup.openSession('alice')), null)
  const session = await signedIn(null)
  assert.equal(await leave(session), null)
  await register({ enabled: false })
  assert.equal(await leave(session), null)
})

test('a provider that cannot be reached, or names an address that is not allowed, does not stop the sign-out', async () => {
  const session = await signedIn('ftp://partner.example/endsession')
  assert.equal(await leave(session), null)
  assert.equal(setup.events.at(-1)?.name, 'external_sign_out_failed')
  await register({ issuer: 'http://127.0.0.1:1' })
  assert.equal(await leave(session), null)
  assert.equal(setup.events.at(-1)?.reason, 'ECONNREFUSED')
})
