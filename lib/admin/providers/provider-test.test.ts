import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sessionIdSchema } from '#lib/protocol/ids.ts'
import {
  startTestProvider,
  type TestProvider,
  testProviderClient,
  testProviderUser,
} from '#lib/upstream/testing/provider.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { finishProviderTest, startProviderTest } from './provider-test.ts'
import { previewProvider } from './read-providers.ts'
import { createProvider } from './write-providers.ts'

let opened: AdminTestPorts
let mock: TestProvider
let owner: Caller

before(async () => {
  opened = await openAdminTestPorts()
  mock = await startTestProvider()
  mock.now = opened.ports.clock.now()
  const digest = opened.ports.hashing.digest(opened.ports.random.handle('adminSession'))
  const sessionId = sessionIdSchema.parse('s'.repeat(22))
  owner = { ...(await opened.caller('owner')), session: { digest, sessionId } }
  const { clientId: client_id, clientSecret: client_secret } = testProviderClient
  const provider = { scheme: 'partner', issuer: mock.issuer, client_id, client_secret, enabled: false }
  assert.equal((await createProvider.call(opened.ports, provider, owner)).kind, 'ok')
})
after(async () => {
  mock.close()
  await opened.close()
})
beforeEach(() => {
  mock.faults = {}
})

async function goOut(): Promise<Record<string, string>> {
  const started = await startProviderTest.call(opened.ports, { scheme: 'partner' }, owner)
  assert.ok(started.kind === 'ok' && 'url' in started.value, JSON.stringify(started))
  return { ...mock.approve(started.value.url) }
}

async function callbackOf(parameters: Record<string, string>) {
  const result = await finishProviderTest.call(opened.ports, { scheme: 'partner', parameters }, owner)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

test('the claims of a disabled provider are shown, and whose account they would open', async () => {
  const answer = await callbackOf(await goOut())
  assert.ok(answer.kind === 'received', JSON.stringify(answer))
  assert.deepEqual(
    [answer.identity.subject, answer.identity.username, answer.identity.claims.email],
    [testProviderUser.sub, null, testProviderUser.email],
  )
})

test('a test makes no account, no session and no change', async () => {
  const rows = await opened.ports.adminStore.audit.list({}, null, 50)
  const seen = opened.events.length
  const again = [await callbackOf(await goOut()), await callbackOf(await goOut())]
  assert.ok(again.every(answer => answer.kind === 'received' && answer.identity.username === null))
  assert.equal((await opened.ports.adminStore.audit.list({}, null, 50)).length, rows.length)
  assert.deepEqual(opened.events.slice(seen), [])
})

test('a failure is reported in a sentence of this server, never in the words of the provider', async () => {
  const body = JSON.stringify({ error: 'invalid_client', error_description: '<script>alert(1)</script>' })
  const parameters = await goOut()
  mock.faults = { answers: { token: { status: 401, body } } }
  const answer = await callbackOf(parameters)
  assert.deepEqual(answer, {
    kind: 'failed',
    scheme: 'partner',
    sentence: 'It did not accept the client ID and secret.',
  })
})

test('a second callback of a completed test fails', async () => {
  const parameters = await goOut()
  await callbackOf(parameters)
  assert.equal((await callbackOf(parameters)).kind, 'failed')
})

test('the address of the metadata is accepted instead of the issuer', async () => {
  const pasted = ` ${mock.issuer}/.well-known/openid-configuration `
  const preview = await previewProvider.call(opened.ports, { issuer: pasted }, owner)
  assert.ok(preview.kind === 'ok' && preview.value.kind === 'found', JSON.stringify(preview))
  assert.equal(preview.value.issuer, mock.issuer)
})
