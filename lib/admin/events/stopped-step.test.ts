import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '#lib/protocol/time.ts'
import { stoppedAt } from './stopped-step.ts'

const time = new Date('2026-03-01T12:00:00Z')
type Given = Partial<Parameters<typeof stoppedAt>[0][number]>
const event = (name: Parameters<typeof stoppedAt>[0][number]['name'], more: Given = {}) => ({
  ...{ name, outcome: 'success' as const, reason: null, flow: 'flow', details: {}, time },
  ...more,
})
const paused = event('authorize_paused', { details: { at: 'login' } })
const partial = event('sign_in_partial', { reason: 'second_factor_required' })

const cases: readonly (readonly [
  what: string,
  events: Parameters<typeof stoppedAt>[0],
  expected: RegExp | null,
])[] = [
  ['a request at the sign-in page', [paused], /waits for the user at the sign-in page/],
  [
    'a request at the consent page',
    [paused, event('authorize_paused', { details: { at: 'consent' } })],
    /consent page/,
  ],
  [
    'a sign-in that needs a second factor',
    [paused, partial],
    /one more step \(the sign-in needs a second factor\)/,
  ],
  [
    'a sign-in to an account whose deletion is planned',
    [paused, event('sign_in_partial', { details: { step: 'planned_deletion' } })],
    /at the question whether to keep the account/,
  ],
  [
    'a first sign-in with an identity',
    [paused, event('sign_in_partial', { details: { step: 'offered_link' } })],
    /at the question whether to link the identity/,
  ],
  [
    'a page of the user service',
    [paused, event('sign_in_partial', { details: { step: 'user_service' } })],
    /at a page of the user service/,
  ],
  [
    'a wrong password',
    [paused, event('sign_in_failed', { outcome: 'failure', reason: 'wrong_password' })],
    /after this failure/,
  ],
  ['a password grant that failed', [event('sign_in_failed', { flow: null, outcome: 'failure' })], null],
  [
    'a sign-in with its answer',
    [paused, partial, event('sign_in_succeeded'), event('authorize_answered')],
    null,
  ],
  ['a canceled request', [paused, event('authorize_refused', { outcome: 'failure' })], null],
  [
    'a forgotten password',
    [paused, event('password_mail_requested')],
    /at the choice of a new password by mail/,
  ],
  [
    'a forgotten password without a mail',
    [paused, event('password_mail_requested', { outcome: 'failure', reason: 'no_verified_address' })],
    /as no mail with a link was sent \(the account has no verified email address\)/,
  ],
  [
    'a new password by mail',
    [paused, event('password_mail_requested'), event('password_changed', { details: { by: 'recovery' } })],
    /at a sign-in with the new password/,
  ],
  [
    'a registration',
    [paused, event('registration_requested')],
    /at the confirmation of a registration by mail/,
  ],
  [
    'a registration that was completed',
    [paused, event('registration_requested'), event('user_registered'), event('sign_in_succeeded')],
    null,
  ],
  [
    'a temporary password that was replaced',
    [paused, partial, event('password_changed', { details: { by: 'first_sign_in' } })],
    /one more step/,
  ],
  ['a forgotten password without an app', [event('password_mail_requested', { flow: null })], null],
  ['an event that belongs to no sign-in', [event('token_introspected')], null],
]

for (const [what, events, expected] of cases)
  test(`the trace of ${what} ${expected === null ? 'names no step' : 'names the step'}`, () => {
    const sentence = stoppedAt(events, time)
    if (expected === null) assert.equal(sentence, null)
    else assert.match(sentence ?? '', expected)
  })

test('a step that was not completed in time ended the sign-in', () => {
  const later = secondsAfter(time, 3600)
  assert.match(
    stoppedAt([paused, partial], later) ?? '',
    /^The sign-in ended here: the user did not complete one more step/,
  )
})
