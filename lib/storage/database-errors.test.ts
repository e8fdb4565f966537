import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { connectionProblem, refusingWhenUnavailable } from './database-errors.ts'

test('LG-03 a missing password is distinguished from a wrong one, also in messages of the driver', () => {
  const problem = (error: unknown, password: string) =>
    String(connectionProblem(error, `postgresql://latchkey${password}@db.example:5433/latchkey`))
  const ofServer = Object.assign(new Error('28P01'), { cause: { kind: 'AuthenticationFailed' } })
  const ofDriver = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  const missing = /DATABASE_URL: the PostgreSQL at db\.example:5433 requires a password; .*\.$/
  assert.match(problem(ofServer, ''), missing)
  assert.match(problem(ofDriver, ''), missing)
  assert.match(problem(ofServer, ':canary'), /refuses this user or password; correct them\.$/)
  assert.doesNotMatch(problem(ofServer, ':canary'), /canary/)
})

test('LG-03 an unknown user, one without a rule, and one that must use TLS are distinguished', () => {
  const problem = (originalMessage: string) => {
    const cause = { kind: 'DatabaseAccessDenied', originalCode: '28000', originalMessage }
    const error = Object.assign(new Error('28000'), { cause })
    return String(connectionProblem(error, 'postgresql://nouser@db.example:5433/latchkey'))
  }
  assert.match(
    problem('role "nouser" does not exist'),
    /DATABASE_URL: the PostgreSQL at db\.example:5433 has no user of this name; create it, or correct the name in the address\.$/,
  )
  const hostRule = 'no pg_hba.conf entry for host "10.0.0.7", user "nouser", database "latchkey"'
  assert.match(
    problem(`${hostRule}, SSL encryption`),
    /into the database "latchkey"; allow it to log in, by a rule/,
  )
  assert.match(
    problem(`${hostRule}, no encryption`),
    /"latchkey" without TLS; add \?sslmode=verify-full to the add/,
  )
})

const ended = ['57P01', '57014', '53300', '40P01']
const notWritable = ['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR_WRITE', '53100', '25006']

test("DB-01 an ended connection, a canceled statement and a full disk are refused with 503, also in Prisma's reads", async () => {
  for (const originalCode of [...ended, ...notWritable]) {
    const cause = { kind: 'postgres', originalCode }
    const driverAdapterError = Object.assign(new Error(originalCode), { cause })
    for (const failure of [
      Object.assign(new Error(originalCode), { code: 'P2039', meta: { driverAdapterError } }),
      Object.assign(new Error(originalCode), { code: 'P2010', meta: { driverAdapterError } }),
      driverAdapterError,
    ]) {
      const port = refusingWhenUnavailable({ read: () => Promise.reject(failure) })
      await assert.rejects(port.read(), error => isOauthError(error) && error.retryAfterSeconds !== null)
    }
  }
})
