import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { checkWords, requestChecks } from '#lib/errors/checks.ts'
import { type ReasonRow, reasons, wireTextOf } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { eventNames, eventSentence } from './event-sentence.ts'
import { shownPageOf } from './request-trace.ts'

const names = {
  client: (id: string | null) => (id === 'books' ? 'Harbour Books' : (id ?? 'A client')),
  user: (subject: string | null) => (subject === 'a' ? 'Alice' : (subject ?? 'A user')),
}

function event(name: StoredEvent['name'], more: Partial<StoredEvent> = {}): StoredEvent {
  const nothing = { clientId: null, subject: null, grantType: null, reason: null, flow: null, grantId: null }
  const about = { id: 'x', time: new Date(0), requestId: 'AAAA-AAAA', address: null, userAgent: null }
  return { ...about, ...nothing, name, outcome: 'failure', details: {}, checks: null, ...more }
}

function ownCode(): readonly string[] {
  const folders = ['core', 'identity', 'http', 'server', 'admin', 'events', 'delivery'].map(
    folder => new URL(`../../${folder}/`, import.meta.url),
  )
  return folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)test-/.test(file))
      .map(file => readFileSync(new URL(file, folder), 'utf8')),
  )
}

test('LG-01 every event with a sentence is recorded somewhere', () => {
  const code = ownCode()
  const never = eventNames.filter(name => !code.some(source => source.includes(`name: '${name}'`)))
  assert.deepEqual(never, [])
})

test('the texts of a reason are whole sentences, and its cause is the end of one', () => {
  for (const [reason, { cause, ...texts }] of Object.entries<ReasonRow>(reasons)) {
    assert.match(cause, /^(?:[a-z]|If-Match|S256).*[^.]$/, reason)
    for (const text of [texts.sentence, texts.remedy])
      if (text !== undefined) assert.match(text, /^[A-Z{].*[.?]$/, reason)
  }
})

test('TK-18 the description of a reason fits into error_description', () => {
  for (const [reason, { cause, wire, isCauseSent }] of Object.entries<ReasonRow>(reasons)) {
    if (isCauseSent) assert.match(`${cause}.`, /^[\w]+ [\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/, reason)
    if (wire !== undefined) assert.match(wire, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/, reason)
  }
})

test('TK-02 no description helps to guess a client secret', () => {
  for (const reason of ['wrong_credentials', 'credentials_too_long', 'secret_wrong'] as const)
    assert.equal(wireTextOf(reason), null)
})

test('every event is a sentence, with and without its optional fields', () => {
  for (const name of eventNames) {
    for (const more of [{}, { clientId: 'books', subject: 'a', reason: 'refused', grantType: 'password' }]) {
      const sentence = eventSentence(event(name, more), names)
      assert.match(sentence, /^[A-Z].*\.$/s, name)
      assert.doesNotMatch(sentence, /undefined|null|\{|\s{2}|\.\./, name)
    }
  }
})

test('an event of a different release is shown by its name', () => {
  const other = { ...event('signed_out'), name: 'moon_rose' as StoredEvent['name'] }
  assert.equal(eventSentence(other, names), 'Moon rose.')
})

describe('the sentence of an event', () => {
  const failed = (check: string, sent: string) => [{ check, result: 'failed', atMs: 1, sent }] as const
  const books = { clientId: 'books' }
  const rows: ReadonlyArray<readonly [StoredEvent, string]> = [
    [
      event('authorize_refused', { ...books, reason: 'redirect_uri_mismatch' }),
      'Harbour Books sent a redirect URI that isn’t registered.',
    ],
    [
      event('authorize_refused', {
        ...books,
        reason: 'scope_unknown',
        checks: failed('scopes_allowed', 'ordres'),
      }),
      'Harbour Books requested scope ordres, which doesn’t exist.',
    ],
    [
      event('authorize_refused', { ...books, reason: 'login_hint_differs' }),
      'Harbour Books sent prompt=none, but login_hint names a user other than the signed-in one.',
    ],
    [
      event('authorize_paused', { ...books, reason: 'login_hint_differs' }),
      'Harbour Books asked a user to sign in or consent: login_hint names a user other than the signed-in one.',
    ],
    [
      event('sign_in_failed', { subject: 'a', reason: 'wrong_password' }),
      'A wrong password was entered for Alice.',
    ],
    [
      event('client_authentication_failed', {
        ...books,
        reason: 'auth_method_differs',
        details: { method: 'client_secret_post' },
      }),
      'Harbour Books used client_secret_post; another authentication method is registered.',
    ],
    [
      event('client_authentication_failed', { reason: 'secret_wrong', details: { resource: 'orders' } }),
      'orders sent a wrong secret.',
    ],
    [
      event('token_refused', { ...books, reason: 'parameter_too_long' }),
      'Harbour Books was refused at the token endpoint: a parameter is too long.',
    ],
    [
      event('external_sign_in_failed', {
        details: { scheme: 'entra' },
        reason: 'provider_answered:invalid_client',
      }),
      'A sign-in at entra failed: it did not accept the client ID and secret.',
    ],
    [
      event('refusals_not_kept', {
        reason: 'unknown_client',
        address: '203.0.113.9',
        details: { count: 940 },
      }),
      '940 more refusals came from 203.0.113.9 within a minute; they were counted but not stored: no client has this ID.',
    ],
    [
      event('refusals_not_kept', {
        reason: 'not_signed_in',
        address: '203.0.113.9',
        details: { count: 700, kind: 'authorize_paused' },
      }),
      '700 more sign-ins began within a minute; they were counted but not stored.',
    ],
    [
      event('refusals_not_kept', {
        address: '203.0.113.9',
        details: { count: 1350, kind: 'sign_in_limited' },
      }),
      '1350 more refusals came from 203.0.113.9 within a minute; they were counted but not stored: sign in limited.',
    ],
    [
      event('worker_replaced', { details: { worker: 2, code: null, signal: 'SIGKILL', wasSilent: false } }),
      'A worker process was ended by SIGKILL and was replaced.',
    ],
    [
      event('worker_replaced', { details: { worker: 2, code: 1, signal: null, wasSilent: false } }),
      'A worker process ended with exit code 1 and was replaced.',
    ],
    [
      event('worker_replaced', { details: { worker: 2, code: null, signal: 'SIGKILL', wasSilent: true } }),
      'A worker process no longer answered, was killed, and was replaced.',
    ],
    [
      event('admin_changed', { subject: 'a', details: { action: 'administrators.invite' } }),
      'Alice invited an administrator.',
    ],
    [
      event('token_refused', { reason: 'moon_is_full' }),
      'A client was refused at the token endpoint: moon is full.',
    ],
  ]
  for (const [one, sentence] of rows) test(sentence, () => assert.equal(eventSentence(one, names), sentence))
})

test('every check has a text and a standard', () => {
  for (const check of Object.keys(requestChecks)) {
    const { standard, href } = checkWords(check)
    assert.match(standard, /§/)
    assert.match(href, /^https:\/\/(www\.rfc-editor\.org|openid\.net)\//)
  }
})

test('a check of another release is shown by its name', () => {
  assert.equal(checkWords('moon_is_full').text, 'moon is full')
})

describe('the page that the user saw', () => {
  const failedAt = (check: string) => ({ check, result: 'failed', atMs: null }) as const
  const rows = [
    [
      event('authorize_refused', { reason: 'redirect_uri_mismatch' }),
      failedAt('redirect_uri_registered'),
      'redirectMismatch',
    ],
    [event('authorize_refused', { reason: 'client_disabled' }), failedAt('client_enabled'), 'unknownClient'],
    [event('authorize_refused', { reason: 'parameter_repeated' }), failedAt('request_read'), 'badRequest'],
    [
      event('authorize_refused', { reason: 'pending_request_limit' }),
      failedAt('rate_limit_not_exceeded'),
      'limited',
    ],
    [event('authorize_refused', { reason: 'request_expired' }), null, 'expired'],
    [event('authorize_refused', { reason: 'scope_unknown' }), failedAt('scopes_allowed'), 'redirect'],
    [event('authorize_refused', { reason: 'cancelled' }), null, 'redirect'],
    [event('sign_in_failed', { reason: 'wrong_password' }), null, 'form'],
    [event('sign_in_failed', { reason: 'wrong_password', grantType: 'password' }), null, null],
    [
      event('request_refused', { reason: 'origin_mismatch', details: { endpoint: '/login' } }),
      null,
      'crossSite',
    ],
    [
      event('request_refused', { reason: 'unexpected', details: { endpoint: '/connect/authorize' } }),
      null,
      'unexpected',
    ],
    [
      event('request_refused', { reason: 'database_timeout', details: { endpoint: '/consent' } }),
      null,
      'unavailable',
    ],
    [event('request_refused', { reason: 'unexpected', details: { endpoint: '/connect/token' } }), null, null],
    [event('token_refused', { reason: 'code_expired' }), failedAt('code_not_expired'), null],
  ] as const
  for (const [refusal, failed, expected] of rows) {
    test(`${refusal.name} ${refusal.reason}: ${expected}`, () => {
      const saw = shownPageOf(refusal, failed)
      assert.equal(saw?.kind === 'page' ? saw.text : (saw?.kind ?? null), expected)
    })
  }
})
