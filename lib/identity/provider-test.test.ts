import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import {
  startTestProvider,
  type TestProvider,
  testProviderClient,
  testProviderUser,
} from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from './external-sign-in.ts'
import { finishProviderTest, startProviderTest } from './provider-test.ts'
import { openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

let setup: TestSignIn
let mock: TestProvider
let adminSession: Digest

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
  adminSession = setup.ports.hashing.digest(setup.ports.random.handle('adminSession'))
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(async () => {
  mock.faults = {}
  mock.now = setup.ports.clock.now()
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, enabled: false })
  await setup.addProvider('school', { issuer: mock.issuer, ...testProviderClient })
})

async function startTest(): Promise<Readonly<Record<string, string>>> {
  const started = await startProviderTest(setup.ports, { scheme: 'partner', adminSession })
  assert.ok(started.kind === 'redirect', JSON.stringify(started))
  const callback = new URL(started.url).searchParams.get('redirect_uri')
  assert.equal(callback, 'https://id.example/login/external/partner/callback')
  return mock.approve(started.url)
}

test('shows the claims of a disabled provider, and creates no account', async () => {
  const outcome = await finishProviderTest(setup.ports, {
    scheme: 'partner',
    adminSession,
    parameters: await startTest(),
  })
  assert.ok(outcome.kind === 'identity', JSON.stringify(outcome))
  assert.equal(outcome.identity.claims.email, testProviderUser.email)
  assert.equal(await setup.ports.users.findByExternal(outcome.identity), null)
  assert.deepEqual(setup.events, [])
})

test('a test belongs to one admin session and one provider, and is completed once', async () => {
  const parameters = await startTest()
  const other = setup.ports.hashing.digest(setup.ports.random.handle('adminSession'))
  const kind = async (changes: object) =>
    (await finishProviderTest(setup.ports, { scheme: 'partner', adminSession, parameters, ...changes })).kind
  assert.equal(await kind({ adminSession: other }), 'expired')
  assert.equal(await kind({}), 'identity')
  assert.equal(await kind({}), 'expired')
  assert.equal(await kind({ parameters: await startTest(), scheme: 'school' }), 'expired')
})

test('a test ends after ten minutes', async () => {
  const parameters = await startTest()
  setup.advance(lifetimeSeconds.externalSignIn + 1)
  assert.equal(
    (await finishProviderTest(setup.ports, { scheme: 'partner', adminSession, parameters })).kind,
    'expired',
  )
})

test('the state of a test does not sign in, and the state of a sign-in does not complete a test', async () => {
  const { browser, ports } = setup
  const parameters = await startTest()
  const input = { scheme: 'partner', parameters, browser, previous: [] }
  assert.equal((await completeExternalSignIn(ports, input, context)).kind, 'expired')
  const waiting = { pending: null }
  const real = await startExternalSignIn(ports, { scheme: 'school', browser, ...waiting }, context)
  assert.ok(real.kind === 'redirect')
  const back = {
    scheme: 'school',
    adminSession: ports.hashing.digest(browser),
    parameters: mock.approve(real.url),
  }
  assert.equal((await finishProviderTest(ports, back)).kind, 'expired')
})

test('reports the failure of a provider, and an unknown provider', async () => {
  const parameters = await startTest()
  mock.faults = { answers: { token: { status: 401, body: JSON.stringify({ error: 'invalid_client' }) } } }
  assert.deepEqual(await finishProviderTest(setup.ports, { scheme: 'partner', adminSession, parameters }), {
    kind: 'failed',
    failure: { reason: 'token_endpoint_answered', answer: 'invalid_client' },
  })
  assert.deepEqual(await startProviderTest(setup.ports, { scheme: '../x', adminSession }), {
    kind: 'unknown_provider',
  })
  await setup.addProvider('away', { issuer: 'http://127.0.0.1:1' })
  assert.equal((await startProviderTest(setup.ports, { scheme: 'away', adminSession })).kind, 'failed')
})
