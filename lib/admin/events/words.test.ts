import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { StoredEvent } from '#lib/ports/event-log.ts'
import { authorizeChecks, callerChecks, grantChecks } from '#lib/protocol/request-checks.ts'
import { checkWords } from './check-words.ts'
import { eventNames, eventSentence } from './event-sentence.ts'
import { personSaw } from './person-saw.ts'
import { knownWords } from './reason-words.ts'
import { refusalSentences } from './refusal-sentences.ts'
import { remedyFor } from './remedy.ts'

const names = {
  client: (id: string | null) => (id === 'books' ? 'Harbour Books' : (id ?? 'An app')),
  person: (subject: string | null) => (subject === 'a' ? 'Alice' : (subject ?? 'Somebody')),
}

function event(name: StoredEvent['name'], more: Partial<StoredEvent> = {}): StoredEvent {
  const nothing = { clientId: null, subject: null, grantType: null, reason: null, flow: null, grantId: null }
  const about = { id: 'x', time: new Date(0), referenceId: 'AAAA-AAAA', address: null, userAgent: null }
  return { ...about, ...nothing, name, outcome: 'failure', details: {}, checks: null, ...more }
}

function ownCode(): readonly string[] {
  const folders = ['core', 'identity', 'http', 'server', 'admin', 'events'].map(
    folder => new URL(`../../${folder}/`, import.meta.url),
  )
  return folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)test-/.test(file))
      .map(file => readFileSync(new URL(file, folder), 'utf8')),
  )
}

/** Every reason that our own code gives, by looking for it. */
function reasonsInCode(): readonly string[] {
  const patterns = [
    /new OauthError\(\s*'\w+',\s*'(\w+)'/g,
    /\b(?:malformed|crossSite|needsS256)\(\s*'(\w+)'/g,
    /\breason: '(\w+)'/g,
    /return (?:method === 'none' \? )?'((?:secret|client)s?_(?:\w+ed|wrong|missing))'/g,
  ]
  return ownCode().flatMap(source =>
    patterns.flatMap(pattern => [...source.matchAll(pattern)].map(([, reason = '']) => reason)),
  )
}

/** Of connections that broke before there was a request, which are no events. */
const withoutEvent = new Set([
  'chunk_extensions',
  'headers_too_long',
  'malformed',
  'method_unknown',
  'request_timeout',
])

test('LG-01 every event that is told of is recorded somewhere', () => {
  const code = ownCode()
  const never = eventNames.filter(name => !code.some(source => source.includes(`name: '${name}'`)))
  assert.deepEqual(never, [])
})

test('every reason has its words', () => {
  const reasons = reasonsInCode()
  assert.ok(new Set(reasons).size > 100, String(new Set(reasons).size))
  const without = reasons.filter(reason => knownWords(reason) === null && !withoutEvent.has(reason))
  assert.deepEqual([...new Set(without)], [])
})

test('every sentence of a refusal is about a reason that has words', () => {
  for (const [reason, sentence] of Object.entries(refusalSentences)) {
    assert.notEqual(knownWords(reason), null, reason)
    assert.match(sentence, /^[A-Z{].*\.$/, reason)
  }
})

test('every event is a sentence, with and without everything that it may lack', () => {
  for (const name of eventNames) {
    for (const more of [{}, { clientId: 'books', subject: 'a', reason: 'refused', grantType: 'password' }]) {
      const sentence = eventSentence(event(name, more), names)
      assert.match(sentence, /^[A-Z].*\.$/s, name)
      assert.doesNotMatch(sentence, /undefined|null|\{|\s{2}|\.\./, name)
    }
  }
})

describe('what happened, and why, in a sentence', () => {
  const failed = (check: string, sent: string) => [{ check, result: 'failed', atMs: 1, sent }] as const
  const books = { clientId: 'books' }
  const rows: ReadonlyArray<readonly [StoredEvent, string]> = [
    [
      event('authorize_refused', { ...books, reason: 'redirect_uri_mismatch' }),
      'Harbour Books asked to return to an address that isn’t registered.',
    ],
    [
      event('authorize_refused', {
        ...books,
        reason: 'scope_unknown',
        checks: failed('scopes_allowed', 'ordres'),
      }),
      'Harbour Books asked for the scope ordres, which doesn’t exist here.',
    ],
    [
      event('authorize_refused', { ...books, reason: 'login_hint_names_another' }),
      'Harbour Books asked without letting anybody choose, and for somebody else than the one who is signed in.',
    ],
    [
      event('authorize_paused', { ...books, reason: 'login_hint_names_another' }),
      'Harbour Books sent somebody to sign in: the app asked for somebody else than the one who is signed in.',
    ],
    [
      event('sign_in_failed', { subject: 'a', reason: 'wrong_password' }),
      'A wrong password was tried for Alice.',
    ],
    [
      event('client_authentication_failed', {
        ...books,
        reason: 'auth_method_differs',
        details: { method: 'client_secret_post' },
      }),
      'Harbour Books sent its secret by client_secret_post, and is registered for another way.',
    ],
    [
      event('token_refused', { ...books, reason: 'too_long' }),
      'Harbour Books was refused at the token endpoint: a parameter is too long.',
    ],
    [
      event('external_sign_in_failed', {
        details: { scheme: 'entra' },
        reason: 'provider_answered:invalid_client',
      }),
      'A sign-in at entra failed: it did not accept the client id and secret.',
    ],
    [
      event('refusals_not_kept', {
        reason: 'unknown_client',
        address: '203.0.113.9',
        details: { count: 940 },
      }),
      '940 more refusals came from 203.0.113.9 within a minute, and were counted but not kept: no client has this id.',
    ],
    [
      event('refusals_not_kept', {
        reason: 'not_signed_in',
        address: '203.0.113.9',
        details: { count: 700, kind: 'authorize_paused' },
      }),
      '700 more sign-ins began within a minute, and were counted but not kept.',
    ],
    [
      event('refusals_not_kept', {
        address: '203.0.113.9',
        details: { count: 1350, kind: 'sign_in_limited' },
      }),
      '1350 more refusals came from 203.0.113.9 within a minute, and were counted but not kept: sign in limited.',
    ],
    [
      event('token_refused', { reason: 'code_verifier_too_long' }),
      'An app was refused at the token endpoint: code_verifier is too long.',
    ],
  ]
  for (const [one, sentence] of rows) test(sentence, () => assert.equal(eventSentence(one, names), sentence))
})

test('every check has its words and its standard', () => {
  for (const check of [...authorizeChecks, ...callerChecks, ...Object.values(grantChecks).flat()]) {
    const { text, failed, standard, href } = checkWords(check)
    assert.notEqual(text, failed)
    assert.match(standard, /§/)
    assert.match(href, /^https:\/\/(www\.rfc-editor\.org|openid\.net)\//)
  }
})

test('a check of another release is shown by its name', () => {
  assert.equal(checkWords('moon_is_full').text, 'moon is full')
})

describe('what puts a refusal right', () => {
  const failedAt = (check: string, sent?: string) =>
    ({ check, result: 'failed', atMs: null, ...(sent === undefined ? {} : { sent }) }) as const
  const rows = [
    [
      'redirect_uri_mismatch',
      failedAt('redirect_uri_registered', 'https://a.example/'),
      'clients.add_redirect_uri',
    ],
    ['redirect_uri_mismatch', failedAt('redirect_uri_registered', 'https://a.example/?x=…'), null],
    ['client_disabled', failedAt('client_enabled'), 'clients.set_enabled'],
    ['scope_not_allowed', failedAt('scopes_allowed', 'orders.read'), 'clients.allow_scope'],
    ['scope_unknown', failedAt('scopes_allowed', 'orders.read'), null],
    ['grant_type_not_allowed', failedAt('grant_type_allowed', 'password'), 'clients.allow_grant_type'],
    ['account_disabled', null, 'users.set_enabled'],
    ['code_expired', failedAt('code_in_time'), null],
    ['login_hint_names_another', failedAt('person_may_go_on', 'none'), null],
  ] as const
  for (const [reason, failed, useCase] of rows) {
    test(`${reason}: ${useCase ?? 'no button'}`, () => {
      const remedy = remedyFor({ reason, clientId: 'books', subject: 'a', grantType: null }, failed)
      assert.match(remedy?.sentence ?? '', /\.$/)
      assert.equal(remedy?.action?.useCase ?? null, useCase)
    })
  }
  test('nothing is put right for a client that nobody knows', () => {
    const refusal = { reason: 'unknown_client', clientId: null, subject: null, grantType: null }
    const remedy = remedyFor(refusal, failedAt('client_known', 'nobody'))
    assert.deepEqual([remedy?.action, remedy?.href], [null, '/admin/clients'])
  })
})

describe('what the person saw', () => {
  const failedAt = (check: string) => ({ check, result: 'failed', atMs: null }) as const
  const rows = [
    [
      event('authorize_refused', { reason: 'redirect_uri_mismatch' }),
      failedAt('redirect_uri_registered'),
      'redirectMismatch',
    ],
    [event('authorize_refused', { reason: 'client_disabled' }), failedAt('client_enabled'), 'unknownClient'],
    [event('authorize_refused', { reason: 'parameter_repeated' }), failedAt('request_read'), 'badRequest'],
    [event('authorize_refused', { reason: 'request_expired' }), null, 'expired'],
    [event('authorize_refused', { reason: 'scope_unknown' }), failedAt('scopes_allowed'), 'app_told'],
    [event('authorize_refused', { reason: 'cancelled' }), null, 'app_told'],
    [event('sign_in_failed', { reason: 'wrong_password' }), null, 'form'],
    [event('sign_in_failed', { reason: 'wrong_password', grantType: 'password' }), null, null],
    [
      event('request_refused', { reason: 'origin_mismatch', details: { endpoint: '/login/submit' } }),
      null,
      'crossSite',
    ],
    [
      event('request_refused', { reason: 'unexpected', details: { endpoint: '/connect/authorize' } }),
      null,
      'unexpected',
    ],
    [
      event('request_refused', { reason: 'database_away', details: { endpoint: '/consent/submit' } }),
      null,
      'unavailable',
    ],
    [event('request_refused', { reason: 'unexpected', details: { endpoint: '/connect/token' } }), null, null],
    [event('token_refused', { reason: 'code_expired' }), failedAt('code_in_time'), null],
  ] as const
  for (const [refusal, failed, expected] of rows) {
    test(`${refusal.name} ${refusal.reason}: ${expected}`, () => {
      const saw = personSaw(refusal, failed)
      assert.equal(saw?.kind === 'page' ? saw.text : (saw?.kind ?? null), expected)
    })
  }
})
