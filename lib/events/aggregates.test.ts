import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hourOf } from '#lib/protocol/time.ts'
import { additionsOf, countsOf, ofClient } from './aggregates.ts'

type Counted = Parameters<typeof countsOf>[0]

function event(name: Counted['name'], more: Partial<Counted> = {}): Counted {
  const time = new Date('2026-03-01T12:34:56Z')
  return {
    name,
    time,
    ...more,
  }
}

const web = { clientId: 'web', flow: 'abc' }
const rows: ReadonlyArray<readonly [string, Counted, readonly string[]]> = [
  [
    'a request that stops at the sign-in page',
    event('authorize_paused', { ...web, details: { at: 'login', resumed: false } }),
    ['funnel authorize', 'funnel login_shown'],
  ],
  [
    'a request that stops only for consent',
    event('authorize_paused', { ...web, details: { at: 'consent', resumed: false } }),
    ['funnel authorize'],
  ],
  [
    'one that goes straight to a provider',
    event('authorize_paused', { ...web, details: { at: 'provider', resumed: false } }),
    ['funnel authorize'],
  ],
  [
    'the same request, stopping a second time',
    event('authorize_paused', { ...web, details: { at: 'consent', resumed: true } }),
    [],
  ],
  [
    'an immediate response',
    event('authorize_answered', { details: { resumed: false } }),
    ['funnel authorize', 'funnel answered'],
  ],
  [
    'an answer after a stop',
    event('authorize_answered', { details: { resumed: true } }),
    ['funnel answered'],
  ],
  [
    'a sign-in for an app',
    event('sign_in_succeeded', { ...web, details: { method: 'pwd' } }),
    ['sign_in pwd', 'funnel sign_in'],
  ],
  [
    'a sign-in that no app waits for',
    event('sign_in_succeeded', { details: { method: 'external' } }),
    ['sign_in external'],
  ],
  [
    'a sign-in with a second factor',
    event('sign_in_succeeded', { details: { method: 'pwd', second: 'totp' } }),
    ['sign_in pwd+totp'],
  ],
  ['a recovered account', event('password_changed', { details: { by: 'recovery' } }), ['account recovered']],
  ['a new account', event('user_registered'), ['account registered']],
  ['a password that the user changed', event('password_changed'), []],
  ['a mail for a forgotten password', event('password_mail_requested'), ['account recovery_asked']],
  [
    'a failed sign-in',
    event('sign_in_failed', { reason: 'wrong_password' }),
    ['sign_in_failed wrong_password'],
  ],
  ['a sign-in held back', event('sign_in_limited'), ['sign_in_failed limited']],
  [
    'a provider that refused, with its own message',
    event('external_sign_in_failed', { reason: 'provider_answered:made-up' }),
    ['sign_in_failed provider_answered'],
  ],
  ['consent', event('consent_granted', web), ['funnel consent']],
  ['a code redeemed', event('code_redeemed', web), ['funnel code_redeemed']],
  [
    'tokens',
    event('tokens_issued', { clientId: 'web', grantType: 'refresh_token' }),
    ['tokens refresh_token', 'web: tokens'],
  ],
  [
    'a refusal of a known client',
    event('authorize_refused', { clientId: 'web', reason: 'scope_unknown' }),
    ['refusal scope_unknown', 'web: refusals'],
  ],
  [
    'a silent question that is answered with no',
    event('authorize_refused', { clientId: 'web', reason: 'not_signed_in' }),
    [],
  ],
  [
    'prompt=none for a different user',
    event('authorize_refused', { clientId: 'web', reason: 'login_hint_differs' }),
    [],
  ],
  [
    'prompt=none for a user of a provider that the client does not allow',
    event('authorize_refused', { clientId: 'web', reason: 'provider_not_allowed_for_client' }),
    [],
  ],
  [
    'a user who cancels',
    event('authorize_refused', { clientId: 'web', reason: 'cancelled' }),
    ['funnel turned_back'],
  ],
  [
    'a user who goes back after a sign-in',
    event('authorize_refused', { clientId: 'web', reason: 'request_finished' }),
    [],
  ],
  [
    'an unknown client',
    event('authorize_refused', { clientId: 'made-up', reason: 'unknown_client' }),
    ['refusal unknown_client'],
  ],
  [
    'a wrong secret of a known client',
    event('client_authentication_failed', { clientId: 'web', reason: 'secret_wrong' }),
    ['web: refusals'],
  ],
  [
    'a secret for an unknown client',
    event('client_authentication_failed', { clientId: 'made-up', reason: 'unknown_client' }),
    [],
  ],
  [
    'a secret of who knows whom',
    event('client_authentication_failed', { clientId: 'made-up', reason: 'wrong_credentials' }),
    [],
  ],
  [
    'a malformed request',
    event('request_refused', { reason: 'parameter_twice' }),
    ['refusal parameter_twice'],
  ],
  ['what no chart shows', event('userinfo_answered', { clientId: 'web' }), []],
]

const clientLines = (one: Counted) => {
  const what = ofClient(one)
  return what === null ? [] : [`${one.clientId}: ${what}`]
}

describe('the aggregates of each event, without labels from user input', () => {
  for (const [title, one, expected] of rows) {
    test(`aggregates of ${title}`, () => {
      assert.deepEqual(
        [...countsOf(one).map(({ metric, label }) => `${metric} ${label}`), ...clientLines(one)],
        expected,
      )
    })
  }
})

test('a batch is aggregated by hour, metric and label', () => {
  const later = new Date('2026-03-01T13:00:00Z')
  const events = [
    event('sign_in_limited'),
    event('sign_in_limited'),
    event('sign_in_limited', { time: later }),
  ]
  assert.deepEqual(additionsOf(events).counts, [
    { hour: new Date('2026-03-01T12:00:00Z'), metric: 'sign_in_failed', label: 'limited', count: 2 },
    { hour: later, metric: 'sign_in_failed', label: 'limited', count: 1 },
  ])
})

test('an hour starts at its first millisecond, in UTC', () => {
  assert.deepEqual(hourOf(new Date('2026-03-01T12:59:59.999Z')), new Date('2026-03-01T12:00:00Z'))
})

test('successes and refusals of clients are aggregated by day', () => {
  const given = [
    event('tokens_issued', web),
    event('tokens_issued', web),
    event('token_refused', { ...web, reason: 'code_expired' }),
    event('tokens_issued', { ...web, time: new Date('2026-03-02T00:00:00Z') }),
    event('tokens_issued', { clientId: 'spa' }),
  ]
  assert.deepEqual(additionsOf(given).clients, [
    { clientId: 'web', day: 20_513, tokens: 2, refusals: 1 },
    { clientId: 'web', day: 20_514, tokens: 1, refusals: 0 },
    { clientId: 'spa', day: 20_513, tokens: 1, refusals: 0 },
  ])
})

test('a sign-in or authorization counts as activity of the user, a refreshed token does not', () => {
  const alice = { subject: 'alice', ...web }
  const given = [
    event('sign_in_succeeded', alice),
    event('authorize_answered', alice),
    event('tokens_issued', alice),
    event('sign_in_failed', alice),
    event('sign_in_succeeded'),
  ]
  const { time } = event('sign_in_succeeded')
  assert.deepEqual(additionsOf(given).visits, [
    { subject: 'alice', time },
    { subject: 'alice', time },
  ])
})

test('events of a client test are not counted', () => {
  const tested = { subject: 'alice', ...web, details: { test: 'x' } }
  const given = [event('authorize_answered', tested), event('tokens_issued', tested)]
  assert.deepEqual(additionsOf(given), { counts: [], clients: [], visits: [] })
})

describe('the response time of the token endpoint is counted in classes', () => {
  for (const [elapsedMs, expected] of [
    [0.4, ['tokens password', 'token_ms 1']],
    [12.5, ['tokens password', 'token_ms 20']],
    [99_999, ['tokens password', 'token_ms 10000']],
    [null, ['tokens password']],
  ] as const)
    test(`${elapsedMs} ms`, () => {
      const counted = countsOf({ ...event('tokens_issued', { grantType: 'password' }), elapsedMs })
      assert.deepEqual(
        counted.map(({ metric, label }) => `${metric} ${label}`),
        expected,
      )
    })
})
