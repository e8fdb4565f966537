import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StoredEvent } from '#lib/ports/events.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { searchEvents, withoutRepeats } from './read-events.ts'
import { listEvents, readRequestTraceUseCase } from './use-cases.ts'

let opened: AdminTestPorts
let support: Caller
const sent = 'https://app.example/callback/'
const refusal = {
  check: 'redirect_uri_registered',
  result: 'failed',
  atMs: 1,
  sent,
  expected: ['https://app.example/callback'],
} as const

before(async () => {
  opened = await openAdminTestPorts()
  support = await opened.caller('user_support')
  await opened.addClient({ client_id: 'shop', client_name: 'Corner Shop' })
  const { subject } = await opened.addUser('berta.brook', {
    claims: { email: 'berta@harbour.example' },
  })
  const refused = { name: 'authorize_refused', outcome: 'failure', reason: 'redirect_uri_mismatch' } as const
  await opened.ports.eventLog.write([
    event(1, { clientId: 'shop', checks: [refusal], requestId: 'BBBB-BBBB', ...refused }),
    event(2, { name: 'sign_in_succeeded', subject: 'ann', clientId: 'shop' }),
    event(3, { name: 'tokens_issued', time: new Date('2026-03-02T00:00:00Z'), clientId: 'web' }),
    event(0, { name: 'signed_out', subject, address: '2001:db8::7' }),
  ])
})
after(() => opened.close())

function event(number: number, more: Partial<StoredEvent>): StoredEvent {
  const { time = opened.ports.clock.now() } = more
  return {
    id: `${time.getTime().toString(36)}-${String(number).padStart(6, '0')}`,
    time,
    name: 'authorize_paused',
    outcome: 'success',
    clientId: null,
    subject: null,
    grantType: null,
    reason: null,
    requestId: `AAAA-AAA${number}`,
    flow: null,
    grantId: null,
    address: '192.0.2.1',
    userAgent: null,
    details: {},
    checks: null,
    ...more,
  }
}

async function listed(filter: Parameters<typeof listEvents.call>[1]) {
  const result = await listEvents.call(opened.ports, filter, support)
  assert.ok(result.kind === 'ok', JSON.stringify(result))
  return result.value
}

for (const [filter, expected] of [
  [{}, ['tokens_issued', 'sign_in_succeeded', 'authorize_refused', 'signed_out']],
  [{ q: 'shop' }, ['sign_in_succeeded', 'authorize_refused']],
  [{ q: 'ann' }, ['sign_in_succeeded']],
  [{ client_id: 'web' }, ['tokens_issued']],
  [{ sub: 'ann' }, ['sign_in_succeeded']],
  [{ outcome: 'failure' }, ['authorize_refused']],
  [{ name: 'tokens_issued' }, ['tokens_issued']],
  [{ reason: 'redirect_uri_mismatch' }, ['authorize_refused']],
  [{ from: '2026-03-02' }, ['tokens_issued']],
  [{ until: '2026-03-01', client_id: 'web' }, []],
  [{ until: '2026-03-02', client_id: 'web' }, ['tokens_issued']],
  [{ q: 'Corner Shop' }, ['sign_in_succeeded', 'authorize_refused']],
  [{ q: 'berta.brook' }, ['signed_out']],
  [{ q: 'berta@harbour.example' }, ['signed_out']],
  [{ q: '2001:DB8::7' }, ['signed_out']],
  [{ q: '192.0.2.7' }, []],
] as const) {
  test(`events are found by ${JSON.stringify(filter)}, newest first`, async () => {
    const { items } = await listed(filter)
    assert.deepEqual(
      items.map(({ name }) => name),
      expected,
    )
  })
}

test('a page leads to the next one', async () => {
  const first = await listed({ limit: 2 })
  const second = await listed({ limit: 3, after: first.next ?? assert.fail() })
  assert.deepEqual([first.items.length, second.items.length, second.next], [2, 2, null])
})

test('a search that several users match lists them, and no events', async () => {
  await opened.addUser('berta.baker')
  const { filter, choices } = await searchEvents(opened.ports, { q: 'berta' }, 'owner')
  assert.deepEqual(
    choices.map(({ kind }) => kind),
    ['user', 'user'],
  )
  assert.deepEqual(await opened.ports.eventLog.list(filter, null, 9), [])
})

test('AD-01 a role that may not read users cannot find them by searching events', async () => {
  const { filter, choices } = await searchEvents(opened.ports, { q: 'berta.brook' }, 'client_manager')
  assert.deepEqual([filter.subject, choices], ['berta.brook', []])
})

test('successful sign-ins to the dashboard are left out, unless they or their client are asked for', async () => {
  for (const [query, hidden] of [
    [{}, 'latchkey-admin'],
    [{ outcome: 'success' }, 'latchkey-admin'],
    [{ subject: 'berta.brook' }, 'latchkey-admin'],
    [{ dashboard_sign_ins: 'shown' }, undefined],
    [{ client: 'latchkey-admin' }, undefined],
    [{ client: 'web' }, undefined],
  ] as const)
    assert.equal((await searchEvents(opened.ports, query, 'owner')).filter.withoutSuccessesOf, hidden)
})

test('a refused token request whose cause is in the list is one row', () => {
  const refused = event(7, { name: 'token_refused', reason: 'wrong_credentials', requestId: 'CCCC-CCCC' })
  const cause = event(6, {
    name: 'client_authentication_failed',
    outcome: 'failure',
    reason: 'secret_wrong',
    requestId: 'CCCC-CCCC',
  })
  const other = event(8, { name: 'token_refused', reason: 'code_expired', requestId: 'DDDD-DDDD' })
  assert.deepEqual(withoutRepeats([other, refused, cause]), [other, cause])
})

test('an invalid filter is refused, unlike on the page, which ignores it', async () => {
  for (const filter of [{ outcome: 'maybe' }, { name: 'rained' }, { from: 'yesterday' }, { client: 'web' }])
    assert.equal((await callUntyped(listEvents, opened.ports, filter, support)).kind, 'invalid')
})

test('the trace contains the failed check, the difference and the remedy', async () => {
  const asked = { request_id: 'bbbb-bbbb' }
  const manager = await opened.caller('client_manager')
  const result = await readRequestTraceUseCase.call(opened.ports, asked, manager)
  const ofSupport = await readRequestTraceUseCase.call(opened.ports, asked, support)
  assert.ok(result.kind === 'ok' && ofSupport.kind === 'ok')
  assert.equal(ofSupport.value.remedy?.action, null)
  const { sentence, failed, difference, remedy, related } = result.value
  assert.match(sentence, /redirect URI that isn’t registered/)
  assert.deepEqual([failed?.check, failed?.sent], [refusal.check, sent])
  assert.equal(difference?.sent.changed, '/')
  assert.deepEqual(remedy?.action, {
    use_case: 'clients.add_redirect_uri',
    label: 'Add this redirect URI',
    input: { client_id: 'shop', redirect_uri: sent },
    warning: remedy?.action?.warning,
  })
  assert.equal(related.length, 1)
})

test('an unknown request has no trace', async () => {
  assert.equal(
    (await readRequestTraceUseCase.call(opened.ports, { request_id: 'ZZZZ-ZZZZ' }, support)).kind,
    'not_found',
  )
})
