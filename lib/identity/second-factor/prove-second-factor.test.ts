import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import { newPasswordPath, secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { completePartialSignIn } from '../partial-sign-in.ts'
import { currentSession } from '../session.ts'
import { addTwoStepUser, outcomeOf, type TwoStepUser } from '../testing/second-factor.ts'
import { alicePassword, instantUserService, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { secondFactorView } from './second-factor-step.ts'

let setup: TestSignIn
let user: TwoStepUser
let made = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())
beforeEach(async () => {
  made += 1
  user = await addTwoStepUser(setup, `user-${made}`)
})

test('MF-03 a user with an authenticator app gets no session for only the password', async () => {
  const partial = await user.interrupt()
  const last = setup.events.at(-1)
  assert.deepEqual(
    [last?.name, last?.reason, last?.subject],
    ['sign_in_partial', 'second_factor_required', user.subject],
  )
  assert.deepEqual(await setup.ports.sessions.allOf(user.subject, setup.ports.clock.now()), [])
  const back = { partial, browser: setup.browser, previous: [] }
  const returned = await completePartialSignIn(setup.ports, back, context)
  assert.deepEqual(
    [returned.kind, returned.kind === 'partial' && returned.path],
    ['partial', secondFactorPath],
  )
})

for (const kind of ['totp', 'recovery_code'] as const) {
  test(`MF-06 a session after a ${kind} has both factors, each with its time`, async () => {
    const partial = await user.interrupt()
    setup.advance(60)
    const code = kind === 'totp' ? user.authenticator.code() : (user.authenticator.recoveryCodes[3] ?? '')
    const outcome = await user.prove(partial, { kind, code })
    assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
    const session = await currentSession(setup.ports, outcome.session)
    assert.deepEqual(session?.amr, ['pwd', 'otp', 'mfa'])
    assert.deepEqual(
      session?.details.factors?.map(factor => factor.kind),
      ['password', kind],
    )
    assert.equal(session?.details.factors?.[1]?.at, setup.ports.clock.now().toISOString())
  })
}

describe('MF-01 a code of the app works once', () => {
  test('MF-01 a code of the app is refused in another sign-in of the same time step', async () => {
    const [first, second] = [await user.interrupt(), await user.interrupt()]
    const code = user.authenticator.code()
    assert.equal((await user.prove(first, { code })).kind, 'signed_in')
    assert.equal(outcomeOf(await user.prove(second, { code })), 'wrong_code: used')
    setup.advance(30)
    assert.equal(outcomeOf(await user.prove(second, { code })), 'wrong_code: used')
    assert.equal((await user.prove(second)).kind, 'signed_in')
  })

  test('MF-01 an earlier code of the app does not work after a later one', async () => {
    const [first, second] = [await user.interrupt(), await user.interrupt()]
    assert.equal((await user.prove(first, { code: user.authenticator.code(1) })).kind, 'signed_in')
    assert.equal(outcomeOf(await user.prove(second, { code: user.authenticator.code() })), 'wrong_code: used')
    assert.equal(
      outcomeOf(await user.prove(second, { code: user.authenticator.code(-1) })),
      'wrong_code: used',
    )
  })

  test('MF-01 a code of the app for the step before or after works, one of two steps away does not', async () => {
    for (const [steps, expected] of [
      [-2, 'wrong_code: wrong'],
      [2, 'wrong_code: wrong'],
      [-1, 'signed_in'],
      [1, 'signed_in'],
    ] as const) {
      const partial = await user.interrupt()
      assert.equal(
        outcomeOf(await user.prove(partial, { code: user.authenticator.code(steps) })),
        expected,
        `${steps} steps`,
      )
    }
  })

  test('MF-01 of a hundred concurrent requests with one code one gets a session', async () => {
    const partial = await user.interrupt()
    const code = user.authenticator.code()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => user.prove(partial, { code })))
    assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
    const sessions = await setup.ports.sessions.allOf(user.subject, setup.ports.clock.now())
    assert.equal(sessions.length, 1)
    // The repeated requests do not use up the attempts of the user
    setup.advance(30)
    assert.equal((await user.prove(await user.interrupt())).kind, 'signed_in')
  })
})

test('MF-02 a recovery code works once, with a mail to the user, and of a hundred concurrent requests one gets a session', async () => {
  const email = `${user.username}@example.com`
  const userService = { ...setup.ports.userService, mailbox: async () => ({ address: email, locale: 'en' }) }
  const ports = { ...setup.ports, userService }
  const partials = await Promise.all(Array.from({ length: 20 }, () => user.interrupt()))
  const typed = {
    kind: 'recovery_code',
    code: ` ${user.authenticator.recoveryCodes[0]?.toLowerCase()} `,
  } as const
  const outcomes = await Promise.all(
    partials.flatMap(partial => Array.from({ length: 5 }, () => user.prove(partial, typed, ports))),
  )
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal(await ports.secondFactors.countRecoveryCodes(user.subject), 9)
  const mails = (await setup.storage.outbox.newest(100)).filter(({ target }) => target === email)
  assert.deepEqual(
    mails.map(({ content }) => content),
    ['security_change'],
  )
  assert.ok(
    setup.events.some(
      event =>
        event.name === 'second_factor_changed' &&
        event.subject === user.subject &&
        event.details?.change === 'recovery_code_used',
    ),
  )
})

describe('MF-03 the second factor comes first', () => {
  test('MF-03 the second factor is asked for before a temporary password is replaced', async () => {
    const temporary = `temporary-${made}`
    user = await addTwoStepUser(setup, temporary, { password: alicePassword, mustChangePassword: true })
    const partial = await user.interrupt()
    const outcome = await user.prove(partial)
    assert.deepEqual([outcome.kind, outcome.kind === 'partial' && outcome.path], ['partial', newPasswordPath])
  })

  test('MF-03 the second factor comes before the page of a custom user service, which is asked only when the user returns from that page', async () => {
    const asked: string[] = []
    const userService = {
      ...instantUserService(async () => ({
        kind: 'partial' as const,
        subject: user.subject,
        path: '/terms/../terms',
      })),
      completePartial: async () => {
        asked.push('completePartial')
        return { kind: 'full' as const, subject: user.subject, name: 'Ursula', amr: ['pwd'], acr: null }
      },
    }
    const ports = { ...setup.ports, userService }
    const outcome = await user.prove(await user.interrupt({}, ports), {}, ports)
    assert.ok(outcome.kind === 'partial' && outcome.path === '/terms')
    assert.deepEqual(asked, [])
    const back = { partial: outcome.partial, browser: setup.browser, previous: [] }
    const completed = await completePartialSignIn(ports, back, context)
    assert.ok(completed.kind === 'signed_in')
    const session = await currentSession(ports, completed.session)
    assert.deepEqual(session?.amr, ['pwd', 'otp', 'mfa'])
  })

  test('MF-03 the second factor is asked for with a custom user service that accepts every user', async () => {
    const accepting = instantUserService(
      async () =>
        ({
          ...{ kind: 'full', subject: user.subject, name: 'Ursula', amr: ['pwd'], acr: null },
        }) as const,
    )
    await user.interrupt({}, { ...setup.ports, userService: accepting })
  })
})

describe('a sign-in that cannot continue', () => {
  test('SE-06 an interrupted sign-in accepts no code after the password was changed', async () => {
    const partial = await user.interrupt()
    const account = await setup.ports.users.findBySubject(user.subject)
    const successor = await setup.ports.passwords.hash('seven gray herons at noon')
    const hashes = { replaced: account?.passwordHash ?? '', successor }
    await setup.ports.users.choosePassword(user.subject, hashes, {
      now: setup.ports.clock.now(),
      notices: [],
    })
    assert.equal((await user.prove(partial, { isToTrust: true })).kind, 'expired')
    assert.deepEqual(await setup.ports.trustedBrowsers.allOf(user.subject, setup.ports.clock.now()), [])
  })

  test('AU-10 an interrupted sign-in accepts no code after the account was locked', async () => {
    const partial = await user.interrupt()
    const isActive = async () => false
    const ports = { ...setup.ports, userService: { ...setup.ports.userService, isActive } }
    const outcome = await user.prove(partial, { isToTrust: true }, ports)
    assert.ok(outcome.kind === 'refused' && outcome.why === 'account_refused')
    assert.deepEqual(await setup.ports.trustedBrowsers.allOf(user.subject, setup.ports.clock.now()), [])
  })

  test('an interrupted sign-in accepts no code in another browser, nor after fifteen minutes', async () => {
    const partial = await user.interrupt()
    const browser = setup.ports.random.handle('browser')
    assert.equal((await user.prove(partial, { browser })).kind, 'expired')
    setup.advance(lifetimeSeconds.partialSignIn)
    assert.equal((await user.prove(partial)).kind, 'expired')
  })

  test('an interrupted sign-in continues without a code after the app was removed', async () => {
    const partial = await user.interrupt()
    await setup.ports.secondFactors.removeApp(user.subject, { notices: [] })
    const proof = { partial, browser: setup.browser }
    assert.equal(await secondFactorView(setup.ports, proof), null)
    const outcome = await completePartialSignIn(setup.ports, { ...proof, previous: [] }, context)
    assert.equal(outcome.kind, 'signed_in')
  })
})
