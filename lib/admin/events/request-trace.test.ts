import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StoredEvent } from '#lib/ports/events.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { nearest, readRequestTrace } from './request-trace.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

let count = 0
function event(more: Partial<StoredEvent>): StoredEvent {
  count += 1
  return {
    id: `mc000000-${String(count).padStart(6, '0')}`,
    time: opened.ports.clock.now(),
    name: 'authorize_paused',
    outcome: 'success',
    clientId: 'web',
    subject: null,
    grantType: null,
    reason: null,
    requestId: 'AAAA-AAAA',
    flow: null,
    grantId: null,
    address: '192.0.2.1',
    userAgent: null,
    details: {},
    checks: null,
    ...more,
  }
}

test('the trace of a refused redirect URI has the difference and the action that adds it', async () => {
  const sent = 'https://app.example/callback/'
  const failed = { check: 'redirect_uri_registered', result: 'failed', atMs: 1, sent } as const
  const checks = [{ ...failed, expected: ['https://other.example/x', 'https://app.example/callback'] }]
  const refused = { name: 'authorize_refused', outcome: 'failure', reason: 'redirect_uri_mismatch' } as const
  await opened.addClient({ client_id: 'web', redirect_uris: ['https://app.example/callback'] })
  await opened.ports.eventLog.write([event({ ...refused, checks, requestId: 'BBBB-BBBB' })])
  const trace = await readRequestTrace(opened.ports, 'BBBB-BBBB', { role: 'owner' })
  assert.match(trace?.sentence ?? '', /redirect URI that isn’t registered/)
  assert.deepEqual(trace?.difference?.sent, {
    before: 'https://app.example/callback',
    changed: '/',
    after: '',
  })
  assert.deepEqual(trace?.remedy?.action?.input, { client_id: 'web', redirect_uri: sent })
})

test('the trace of a user who went back says that nothing is to be done, and is not a failure', async () => {
  const back = { name: 'authorize_refused', reason: 'request_finished', requestId: 'BBBB-CCCC' } as const
  await opened.ports.eventLog.write([event(back)])
  const trace = await readRequestTrace(opened.ports, 'BBBB-CCCC', { role: 'owner' })
  assert.equal(trace?.main.outcome, 'success')
  assert.equal(trace?.sentence, 'A user returned to a sign-in that was already answered.')
  assert.match(trace?.remedy?.sentence ?? '', /^No action needed: /)
  assert.equal(trace?.shownPage?.kind, 'page')
})

test('the full sign-in is found from any of its requests', async () => {
  const grantId = 'gAAAAAAAAAAAAAAAAAAAAAA'
  await opened.ports.eventLog.write([
    event({ requestId: 'CCCC-2222', flow: 'flow-1' }),
    event({ requestId: 'CCCC-3333', flow: 'flow-1', name: 'sign_in_succeeded' }),
    event({ requestId: 'CCCC-4444', flow: 'flow-1', grantId, name: 'authorize_answered' }),
    event({ requestId: 'CCCC-5555', grantId, name: 'code_redeemed' }),
    event({ requestId: 'CCCC-6666', flow: 'flow-2' }),
  ])
  for (const reference of ['CCCC-2222', 'CCCC-4444', 'CCCC-5555']) {
    const trace = await readRequestTrace(opened.ports, reference, { role: 'owner' })
    const references = trace?.related.map(it => it.event.requestId)
    assert.deepEqual(references, ['CCCC-2222', 'CCCC-3333', 'CCCC-4444', 'CCCC-5555'], reference)
  }
})

test('an ignored offline_access is explained in the trace of the request and of the redeemed code', async () => {
  const grantId = 'gBBBBBBBBBBBBBBBBBBBBBB'
  const reason = 'offline_access_without_refresh_token'
  await opened.ports.eventLog.write([
    event({ requestId: 'DDDD-2222', grantId, name: 'authorize_answered', reason, subject: 'alice' }),
    event({ requestId: 'DDDD-3333', grantId, name: 'code_redeemed' }),
    event({ requestId: 'DDDD-3333', grantId, name: 'tokens_issued', grantType: 'authorization_code' }),
    event({ requestId: 'DDDD-4444', grantId, name: 'tokens_issued', grantType: 'refresh_token' }),
  ])
  const request = await readRequestTrace(opened.ports, 'DDDD-2222', { role: 'owner' })
  const why = 'offline_access was ignored, because the client may not use refresh_token'
  assert.ok(request?.sentence.endsWith(`; ${why}.`), request?.sentence)
  assert.match(request?.remedy?.sentence ?? '', /^For a refresh token, add refresh_token to the grant types/)
  assert.equal(request?.remedy?.href, '/admin/clients/web')
  assert.deepEqual(request?.hints, [])
  const redeemed = await readRequestTrace(opened.ports, 'DDDD-3333', { role: 'owner' })
  assert.ok(redeemed?.hints[0]?.startsWith(`There is no refresh token: ${why}. For a refresh token, add`))
  const later = await readRequestTrace(opened.ports, 'DDDD-4444', { role: 'owner' })
  assert.doesNotMatch(String(later?.hints), /no refresh token/)
})

test('an unknown request ID has no trace', async () => {
  assert.equal(await readRequestTrace(opened.ports, 'ZZZZ-ZZZZ', { role: 'owner' }), null)
})

test('the most similar registered URI is the one with most in common', () => {
  assert.equal(
    nearest('https://a.example/cb/', ['https://b.example/', 'https://a.example/cb']),
    'https://a.example/cb',
  )
  assert.equal(nearest('x', []), null)
})

for (const [name, cause, where] of [
  ['code_replayed', /^The code was already used/, '/admin/clients/web'],
  ['refresh_token_replayed', /^The refresh token was already used/, '/admin/clients/web'],
  ['sign_in_limited', /^Too many failed attempts/, '/admin/users/alice'],
  [
    'client_authentication_limited',
    /^Too many failed attempts with a client secret/,
    '/admin/clients/web/secrets',
  ],
] as const) {
  test(`the trace of ${name} names the cause, what to do, and the user of the grant`, async () => {
    const requestId = `TRACE-${name}`
    const grantId = `grant of ${name}`
    const refused = { name, outcome: 'failure', requestId, grantId } as const
    await opened.ports.eventLog.write([
      event({ name: 'code_redeemed', subject: 'alice', grantId, requestId: `FIRST-${name}` }),
      event(refused),
    ])
    const trace = await readRequestTrace(opened.ports, requestId, { role: 'owner' })
    assert.equal(trace?.main.subject, 'alice')
    assert.match(trace?.whyFailed ?? '', cause)
    assert.match(trace?.remedy?.sentence ?? '', /\.$/)
    assert.equal(trace?.remedy?.href, where)
  })
}
