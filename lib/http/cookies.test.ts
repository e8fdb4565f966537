import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserAccounts } from '#lib/config/limits.ts'
import { parseHandle, type SessionHandle } from '#lib/protocol/ids.ts'
import {
  cookieNames,
  latestWayCookie,
  otherSessionCookies,
  readCookies,
  readLatestWay,
  sessionCookie,
} from './cookies.ts'

const issuer = 'https://id.example.org'
const names = cookieNames(issuer)
const handles = Array.from({ length: browserAccounts.others + 1 }, (_, index) =>
  parseHandle('session', `ses_${String(index).repeat(43)}`),
).filter(handle => handle !== null)
const [current, ...others] = handles
const nothing = { session: null, sessions: [] }

/** Returns the `Cookie` header of a browser that received these cookies. */
function headerOf(lines: readonly string[]): string {
  return lines.map(line => line.split(';')[0]).join('; ')
}

function setFor(sessions: readonly SessionHandle[], isPersistent: (index: number) => boolean) {
  const stored = sessions.map((handle, index) => ({ handle, isPersistent: isPersistent(index) }))
  return otherSessionCookies(stored, nothing, issuer)
}

test('SE-08 the cookies of the most accounts that a browser keeps have less than 400 characters', () => {
  assert.ok(current !== undefined)
  const lines = [
    sessionCookie({ session: current, persistSeconds: null }, issuer),
    ...setFor(others, index => index % 2 === 0),
  ]
  const header = headerOf(lines)
  assert.ok(header.length < 400, String(header.length))
  assert.deepEqual(new Set(readCookies(header, issuer).sessions), new Set(handles))
  assert.equal(readCookies(header, issuer).sessions[0], current)
})

test('SE-03 sessions that the browser remembers are in a cookie that lasts, the others in one that ends with it', () => {
  const [passing = '', kept = ''] = setFor(others, index => index > 0)
  assert.match(passing, /^__Host-latchkey_others=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  assert.match(
    kept,
    /^__Host-latchkey_others_kept=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/,
  )
})

test('SE-09 a cookie with a malformed session, with too many, or without the prefix is ignored', () => {
  const [first = ''] = others
  const values = [`${first}.`, `${first}.x`, `.${first}`, '', Array(6).fill(first).join('.')]
  for (const value of values)
    assert.deepEqual(readCookies(`${names.others}=${value}`, issuer).sessions, [], value)
  assert.deepEqual(readCookies(`latchkey_others=${first}`, issuer).sessions, [])
  assert.deepEqual(readCookies(`${names.others}=${first}; ${names.others}=${first}`, issuer).sessions, [])
  assert.deepEqual(readCookies(`${names.others}=${first}`, issuer).sessions, [first])
})

test('SE-08 the cookies of other accounts are set only in browsers that have some, and deleted with the last', () => {
  assert.deepEqual(otherSessionCookies([], nothing, issuer), [])
  assert.ok(current !== undefined)
  const had = { session: current, sessions: handles }
  const deleted = otherSessionCookies([], had, issuer)
  assert.deepEqual(
    deleted.map(line => /=;.*Max-Age=0/.test(line)),
    [true, true],
  )
})

for (const way of ['password', 'passkey', 'provider:house'] as const)
  test(`the way ${way} is read from its cookie`, () => {
    assert.equal(readLatestWay(headerOf([latestWayCookie(way, issuer)]), issuer), way)
  })

test('SE-09 an unknown way, and a cookie without the prefix, are treated as absent', () => {
  const name = names.latestWay
  for (const header of [
    null,
    '',
    `${name}=house`,
    `${name}=password; ${name}=passkey`,
    'latchkey_way=password',
  ])
    assert.equal(readLatestWay(header, issuer), null)
})
