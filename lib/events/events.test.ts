import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReasonRow, reasons } from '#lib/errors/reasons.ts'
import type { Event, EventSink, RecordedEvent } from '#lib/ports/events.ts'
import { handlePrefixes } from '#lib/protocol/ids.ts'
import type { LastEntry } from '#lib/protocol/request-context.ts'
import { createEvents, logSink } from './events.ts'
import { createLog } from './log.ts'
import { safeText } from './safe-text.ts'

const clock = { now: () => new Date('2026-01-02T03:04:05Z') }
const context = { requestId: '7QK4-M2P9', address: '192.0.2.1', userAgent: 'test' }

function captured(pretty = false) {
  const lines: string[] = []
  const log = createLog({ level: 'info', pretty, destination: { write: line => void lines.push(line) } })
  return { lines, log }
}

function recordOne(event: Event): Record<string, unknown> {
  const { lines, log } = captured()
  createEvents([logSink(log)], clock, assert.ifError).record(event, context)
  assert.equal(lines.length, 1)
  return JSON.parse(lines[0] ?? '')
}

test('LG-02 an event line contains outcome, reason, client, subject, address and request ID', () => {
  const line = recordOne({
    name: 'token_refused',
    outcome: 'failure',
    clientId: 'web',
    subject: 'a',
    reason: 'code_expired',
  })
  const { time, ...rest } = line
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(rest, {
    level: 'warn',
    msg: 'token_refused',
    event: 'token_refused',
    outcome: 'failure',
    clientId: 'web',
    subject: 'a',
    reason: 'code_expired',
    remedy: 'The client must redeem the code immediately after the redirect.',
    address: '192.0.2.1',
    userAgent: 'test',
    requestId: '7QK4-M2P9',
  })
})

test('LG-02 the line of a refusal says what to do, if anything is to be done', () => {
  const refused = { name: 'authorize_refused', outcome: 'failure', clientId: 'wiki' } as const
  const { remedy } = recordOne({ ...refused, reason: 'code_challenge_missing' })
  assert.match(String(remedy), /^Turn PKCE with S256 on in the application.*set the client’s pkce to/)
  for (const [reason, words] of [
    ['prompt_unknown', /^Correct it in the client/],
    ['verifier_wrong', /./],
    ['redirect_uri_differs', /./],
    ['content_type', /./],
    ['method_not_allowed', /Allow/],
  ] as const)
    assert.match(String(recordOne({ ...refused, reason }).remedy), words)
  assert.equal(recordOne({ ...refused, reason: 'code_replayed' }).remedy, reasons.code_replayed.remedy)
  const answered = { name: 'authorize_answered', outcome: 'success' } as const
  assert.match(
    String(recordOne({ ...answered, reason: 'offline_access_not_in_scope' }).remedy),
    /^For a refresh token, add offline_access/,
  )
  assert.equal(recordOne({ ...refused, reason: 'consent_denied' }).remedy, undefined)
  assert.equal(
    recordOne({ name: 'authorize_paused', outcome: 'success', reason: 'not_signed_in' }).remedy,
    undefined,
  )
  assert.equal(recordOne({ name: 'tokens_issued', outcome: 'success' }).remedy, undefined)
})

test('LG-03 a remedy is short, and the log writes it unchanged', () => {
  for (const [reason, { remedy = '' }] of Object.entries<ReasonRow>(reasons)) {
    assert.ok(remedy.length <= 400, `${reason}: ${remedy.length} characters`)
    assert.equal(safeText(remedy), remedy, reason)
  }
})

test('LG-02 a name with line breaks and terminal escapes stays on one line', () => {
  for (const pretty of [false, true]) {
    const { lines, log } = captured(pretty)
    log.write('info', 'sign_in_failed', { username: 'eve\r\n{"level":"info"}\u001b[2J\u2028\u202e' })
    assert.equal(lines.length, 1)
    assert.equal((lines[0] ?? '').trimEnd().split(/[\r\n\u2028]/).length, 1)
    assert.ok(!(lines[0] ?? '').includes('\u001b[2J'))
    assert.ok(!(lines[0] ?? '').includes('\u202e'))
  }
})

test('a reason that begins like a token prefix is not redacted', () => {
  const reason = 'code_challenge_method_not_s256'
  const line = recordOne({ name: 'authorize_refused', outcome: 'failure', reason })
  assert.equal(line.reason, reason)
})

test('LG-03 tokens, codes, handles and credentials in any field are redacted', () => {
  const canary = 'A'.repeat(43)
  const leaks = [
    ...Object.values(handlePrefixes).map(prefix => `${prefix}${canary}`),
    `lks_${canary}`,
    `eyJhbGciOiJSUzI1NiJ9.${canary}.${canary}`,
    `Bearer ${canary}`,
  ]
  for (const leak of leaks) {
    const event: Event = { name: 'token_refused', outcome: 'failure', details: { leak } }
    const line = recordOne(Object.assign(event, { reason: `saw ${leak}` }))
    assert.ok(!JSON.stringify(line).includes(canary), leak)
  }
})

test('LG-03 an unexpected error is logged without the arguments a library quotes', () => {
  const { lines, log } = captured()
  const error = new Error(
    '\nInvalid `prisma.user.create()` invocation:\n{ password: "hunter22" }\nUnique constraint failed',
  )
  error.name = 'PrismaClientKnownRequestError'
  log.failure(error, { requestId: '7QK4-M2P9' })
  assert.match(lines[0] ?? '', /Unique constraint failed/)
  assert.ok(!(lines[0] ?? '').includes('hunter22'))
})

test('LG-05 a sink that throws or rejects does not affect the others', async () => {
  const seen: RecordedEvent[] = []
  const failures: unknown[] = []
  const broken: EventSink = {
    record: () => {
      throw new Error('sync')
    },
  }
  const rejecting: EventSink = { record: () => Promise.reject(new Error('async')) }
  const working: EventSink = { record: event => void seen.push(event) }
  const events = createEvents([broken, rejecting, working], clock, (error, requestId) =>
    failures.push([error, requestId]),
  )
  events.record({ name: 'signed_out', outcome: 'success' }, context)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(seen.length, 1)
  assert.deepEqual(seen[0]?.time, clock.now())
  assert.deepEqual(failures, [
    [new Error('sync'), context.requestId],
    [new Error('async'), context.requestId],
  ])
})

test('FW-09 a request line contains the pattern and never the query', () => {
  const { lines, log } = captured()
  log.request({
    requestId: 'r',
    method: 'GET',
    pattern: '/connect/authorize',
    status: 303,
    durationMs: 2,
    address: null,
  })
  assert.equal(JSON.parse(lines[0] ?? '').pattern, '/connect/authorize')
})

test('LG-02 the last event of a request is in the line of the request, earlier and later ones have their own', () => {
  const { lines, log } = captured()
  const lastEntry: LastEntry = { waiting: null, isAnswered: false }
  const events = createEvents([logSink(log)], clock, assert.ifError)
  const record = (name: Event['name'], reason?: Event['reason']) =>
    events.record(
      { name, outcome: 'failure', ...(reason === undefined ? {} : { reason }) },
      { ...context, lastEntry },
    )
  record('sign_in_failed')
  record('token_refused', 'code_expired')
  lastEntry.isAnswered = true
  const { requestId, address } = context
  const request = {
    requestId,
    address,
    method: 'POST',
    pattern: '/connect/token',
    status: 400,
    durationMs: 2,
  }
  log.request({ ...request, reason: undefined }, lastEntry.waiting)
  record('signed_out')
  const written = lines.map(line => JSON.parse(line))
  assert.deepEqual(
    written.map(({ msg, level, status, reason }) => [msg, level, status, reason]),
    [
      ['sign_in_failed', 'warn', undefined, undefined],
      ['token_refused', 'warn', 400, 'code_expired'],
      ['signed_out', 'warn', undefined, undefined],
    ],
  )
})

test('LG-05 a failure has a readable line, with and without details', () => {
  for (const fields of [{}, { pattern: '/login' }, { pattern: '/login', requestId: '7QK4-M2P9' }]) {
    const { lines, log } = captured(true)
    log.failure(new Error('boom'), fields)
    assert.match(lines[0] ?? '', /unexpected_error.*\n\s+Error: boom\n/)
  }
})

test('readable lines end with the request ID', () => {
  const { lines, log } = captured(true)
  log.request({
    requestId: '7QK4-M2P9',
    method: 'POST',
    pattern: '/connect/token',
    status: 500,
    durationMs: 2,
    address: null,
  })
  assert.match(lines[0] ?? '', /error.*request POST \/connect\/token 500 2 ms.*7QK4-M2P9/)
})
