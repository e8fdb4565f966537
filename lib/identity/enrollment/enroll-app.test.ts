import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { context } from '#lib/core/testing/ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { signIn } from '../sign-in.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from '../testing/sign-in.ts'
import { enrollApp } from './enroll-app.ts'

let setup: TestSignIn

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

test('MF-02 of several requests with the form of a new app one makes recovery codes, and continues the sign-in', async () => {
  await setup.addUser('ursula', { password: alicePassword })
  const client = await setup.addClient({ require_acr: 'urn:latchkey:mfa' })
  const waiting = await pendingRequest(setup, client)
  const interrupted = await signIn(setup.ports, form({ username: 'ursula', ...waiting }), context)
  assert.ok(interrupted.kind === 'partial' && interrupted.path === '/login/enroll')
  const { partial } = interrupted
  const secret = newTotpSecret()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = totp.generate({ timestamp: setup.ports.clock.now().getTime() })
  const cookies = { browser: setup.browser, previous: [], knownBrowser: null, trustedBrowsers: [] }
  const sent = { ...cookies, partial, secret, code }
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => enrollApp(setup.ports, sent, context)))
  const enrolled = outcomes.filter(outcome => outcome.kind === 'enrolled')
  assert.deepEqual(
    enrolled.map(({ outcome, codes }) => [outcome.kind, codes.length]),
    [['signed_in', 10]],
  )
  for (const { kind } of outcomes)
    assert.ok(['enrolled', 'already_set_up', 'gone'].includes(kind), `a loser changes nothing: ${kind}`)
  const subject = subjectIdSchema.parse('ursula')
  assert.equal(await setup.ports.secondFactors.countRecoveryCodes(subject), 10)
  const changes = setup.events.filter(({ name }) => name === 'second_factor_changed')
  assert.equal(changes.length, 1)
})
