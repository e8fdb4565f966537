import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { rateLimits, secondFactors } from '#lib/config/limits.ts'
import { addAuthenticator, addTwoStepUser, outcomeOf, type TwoStepUser } from '../testing/second-factor.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import type { SecondFactorInput } from './prove-second-factor.ts'

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

describe('MF-01 the limits on wrong codes', () => {
  const wrong = { code: '000 000' }
  const { limit, windowSeconds } = rateLimits.secondFactor

  /** Fails until the limit is reached, in new sign-ins, alternating the kinds of codes. */
  async function useUp(changes: Partial<SecondFactorInput> = {}) {
    for (let attempt = 0; attempt < limit; attempt++) {
      const guess =
        attempt % 2 === 0 ? wrong : ({ kind: 'recovery_code', code: 'AAAAA-AAAAA-AAAAA' } as const)
      const outcome = await user.prove(await user.interrupt(), { ...guess, ...changes })
      assert.equal(outcomeOf(outcome), 'wrong_code: wrong', `attempt ${attempt}`)
    }
  }

  test('MF-01 wrong codes of all kinds count together, in all sign-ins of a user, until right ones are refused too', async () => {
    await useUp()
    const outcome = await user.prove(await user.interrupt())
    assert.ok(outcome.kind === 'wrong_code' && outcome.why === 'limited')
    assert.ok(outcome.retryAfterSeconds > windowSeconds - 60)
    assert.equal(setup.events.at(-1)?.name, 'sign_in_limited')
    const kind = 'recovery_code'
    const code = user.authenticator.recoveryCodes[0] ?? ''
    assert.equal(outcomeOf(await user.prove(await user.interrupt(), { kind, code })), 'wrong_code: limited')
    setup.advance(windowSeconds + 1)
    assert.equal((await user.prove(await user.interrupt())).kind, 'signed_in')
  })

  test('AU-08 wrong codes elsewhere do not lock the user out in a browser that proved a second factor before, which has limits too', async () => {
    const first = await user.prove(await user.interrupt())
    assert.ok(first.kind === 'signed_in')
    const { knownBrowser } = first
    setup.advance(60)
    await useUp()
    assert.equal(outcomeOf(await user.prove(await user.interrupt())), 'wrong_code: limited')
    for (let attempt = 0; attempt < rateLimits.knownBrowser.limit; attempt++) {
      const outcome = await user.prove(await user.interrupt(), { ...wrong, knownBrowser })
      assert.equal(outcomeOf(outcome), 'wrong_code: wrong')
    }
    assert.equal(outcomeOf(await user.prove(await user.interrupt(), { knownBrowser })), 'wrong_code: limited')
  })

  test('AU-08 a known browser is free while unknown ones are blocked', async () => {
    const first = await user.prove(await user.interrupt())
    assert.ok(first.kind === 'signed_in')
    setup.advance(60)
    await useUp()
    const { knownBrowser } = first
    assert.equal((await user.prove(await user.interrupt(), { knownBrowser })).kind, 'signed_in')
  })

  test('a browser that is known for an earlier app is unknown for the new one', async () => {
    const first = await user.prove(await user.interrupt())
    assert.ok(first.kind === 'signed_in')
    setup.advance(60)
    await addAuthenticator(setup.ports, user.subject)
    await useUp()
    const { knownBrowser } = first
    assert.equal(outcomeOf(await user.prove(await user.interrupt(), { knownBrowser })), 'wrong_code: limited')
  })

  test('text that cannot be a code does not count as a wrong code', async () => {
    for (let attempt = 0; attempt < limit; attempt++) {
      const typed = ['', '12345', '1234567', 'ABCDE-FGHJK'][attempt % 4] ?? ''
      assert.equal(outcomeOf(await user.prove(await user.interrupt(), { code: typed })), 'wrong_code: wrong')
    }
    assert.equal((await user.prove(await user.interrupt())).kind, 'signed_in')
  })

  test('AU-09 the limits on wrong codes apply to concurrent attempts', async () => {
    const partials = await Promise.all(Array.from({ length: 50 }, () => user.interrupt()))
    const outcomes = await Promise.all(partials.map(partial => user.prove(partial, wrong)))
    assert.equal(outcomes.filter(outcome => outcomeOf(outcome) === 'wrong_code: wrong').length, limit)
  })

  test('MF-01 a day of guesses with pauses stays within the limits on wrong codes', async () => {
    let guesses = 0
    for (let period = 0; period < 8; period++) {
      for (let attempt = 0; attempt < limit; attempt++) {
        const outcome = await user.prove(await user.interrupt(), wrong)
        if (outcomeOf(outcome) === 'wrong_code: wrong') guesses += 1
      }
      setup.advance(windowSeconds + 1)
    }
    assert.ok(guesses <= rateLimits.secondFactorOfDay.limit, `${guesses} guesses`)
  })
})

describe('AU-16 a mail informs the user of a right code', () => {
  async function mailsAfter(wrongCodes: number) {
    const email = `${user.username}@example.com`
    const userService = {
      ...setup.ports.userService,
      mailbox: async () => ({ address: email, locale: 'en' }),
    }
    const ports = { ...setup.ports, userService }
    for (let attempt = 0; attempt < wrongCodes; attempt++)
      await user.prove(await user.interrupt(), { code: '000 000' }, ports)
    assert.equal((await user.prove(await user.interrupt(), {}, ports)).kind, 'signed_in')
    const mails = await setup.storage.outbox.newest(100)
    return mails.filter(({ target }) => target === email).length
  }

  test('AU-16 a mail informs the user of a right code after several wrong ones', async () => {
    assert.equal(await mailsAfter(secondFactors.wrongCodesBeforeNotice), 1)
  })

  test('AU-16 no mail is sent for a right code after fewer wrong ones', async () => {
    assert.equal(await mailsAfter(secondFactors.wrongCodesBeforeNotice - 1), 0)
  })
})
