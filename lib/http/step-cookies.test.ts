import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import {
  attemptCookie,
  createdAccountCookie,
  readAttempt,
  readCreatedAccount,
  readSetUpAttempt,
  setUpAttemptCookie,
} from './step-cookies.ts'

const issuer = 'https://id.example.org'
const sealing = createSealing(randomBytes(32))
const signIn = { pending: null, issuer }
const link = { token: 'link', issuer }

/** Returns the `Cookie` header that a browser sends after the `Set-Cookie` header. */
const sent = (setCookie: string) => setCookie.split(';', 1).join()

const cookies: ReadonlyArray<
  readonly [what: string, seconds: number, made: () => string, read: (header: string) => unknown]
> = [
  [
    'a failed sign-in',
    120,
    () => attemptCookie(sealing, { username: 'alice', message: null }, signIn),
    header => readAttempt(sealing, header, signIn)?.username,
  ],
  [
    'a refused form of a set-up',
    600,
    () => setUpAttemptCookie(sealing, { ...link, attempt: { username: 'alice', name: 'Alice', errors: [] } }),
    header => readSetUpAttempt(sealing, { ...link, cookieHeader: header })?.username,
  ],
  [
    'a new account',
    120,
    () => createdAccountCookie(sealing, 'alice', issuer),
    header => readCreatedAccount(sealing, header, issuer),
  ],
]

for (const [what, seconds, made, read] of cookies)
  test(`the cookie of ${what} is not accepted later than ${seconds} seconds, even if it is sent`, t => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T12:00:00Z') })
    const header = sent(made())
    t.mock.timers.tick(seconds * 1000 - 1)
    assert.equal(read(header), 'alice')
    t.mock.timers.tick(1)
    assert.equal(read(header) ?? null, null)
  })

test('the cookie of a failed sign-in keeps the ID of an unknown passkey, unless it is too long for a cookie', () => {
  const kept = (unknownPasskey: string) => {
    const header = sent(attemptCookie(sealing, { username: '', message: null, unknownPasskey }, signIn))
    return readAttempt(sealing, header, signIn)?.unknownPasskey
  }
  assert.equal(kept('A'.repeat(400)), 'A'.repeat(400))
  assert.equal(kept('A'.repeat(401)), undefined)
})

test('a sealed cookie of one step is not accepted in place of that of another', () => {
  const header = sent(createdAccountCookie(sealing, 'alice', issuer))
  assert.equal(readSetUpAttempt(sealing, { ...link, cookieHeader: header }), null)
})
