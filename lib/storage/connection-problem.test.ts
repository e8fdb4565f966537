import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionProblem } from './connection-problem.ts'

test('LG-03 a missing password is distinguished from a wrong one, also in messages of the driver', () => {
  const problem = (error: unknown, password: string) =>
    String(connectionProblem(error, `postgresql://latchkey${password}@db.example:5433/latchkey`))
  const ofServer = Object.assign(new Error('28P01'), { cause: { kind: 'AuthenticationFailed' } })
  const ofDriver = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  const missing =
    /DATABASE_URL: the PostgreSQL at db\.example:5433 lets this user in with a password only; .*\.$/
  assert.match(problem(ofServer, ''), missing)
  assert.match(problem(ofDriver, ''), missing)
  assert.match(problem(ofServer, ':canary'), /refuses this user or password; correct them\.$/)
  assert.doesNotMatch(problem(ofServer, ':canary'), /canary/)
})
