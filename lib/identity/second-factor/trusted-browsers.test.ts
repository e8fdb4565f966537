import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import { currentSession } from '../session.ts'
import { addTwoStepUser, type TwoStepUser } from '../testing/second-factor.ts'
import { openTestSignIn, pendingRequest, type TestSignIn } from '../testing/sign-in.ts'

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

describe('a trusted browser', () => {
  async function trust(handles: readonly TrustedBrowserHandle[] = []) {
    const outcome = await user.prove(await user.interrupt(), { isToTrust: true, trustedBrowsers: handles })
    assert.ok(outcome.kind === 'signed_in' && outcome.trustedBrowsers !== null)
    return outcome.trustedBrowsers
  }

  test('MF-06 a trusted browser skips the question and does not count as a factor', async () => {
    const trustedBrowsers = await trust()
    const outcome = await user.enter({ trustedBrowsers })
    assert.ok(outcome.kind === 'signed_in')
    const session = await currentSession(setup.ports, outcome.session)
    assert.deepEqual(session?.amr, ['pwd'])
    assert.equal(session?.details.factors?.length, 1)
  })

  test('a trusted browser is asked when the request requires two factors', async () => {
    const trustedBrowsers = await trust()
    const client = await setup.addClient({ client_id: `strict-${made}`, require_acr: 'urn:latchkey:mfa' })
    const request = await pendingRequest(setup, client)
    await user.interrupt({ trustedBrowsers, ...request })
  })

  test('a trusted browser is asked when the user confirms the identity', async () => {
    const trustedBrowsers = await trust()
    await user.interrupt({ trustedBrowsers, confirms: user.subject })
  })

  test('a browser is not trusted without the tick, nor with a wrong code', async () => {
    const outcome = await user.prove(await user.interrupt())
    assert.ok(outcome.kind === 'signed_in')
    assert.equal(outcome.trustedBrowsers, null)
    await user.prove(await user.interrupt(), { code: '000000', isToTrust: true })
    assert.deepEqual(await setup.ports.trustedBrowsers.allOf(user.subject, setup.ports.clock.now()), [])
  })

  test('the trust in a browser ends after 30 days', async () => {
    const trustedBrowsers = await trust()
    setup.advance(lifetimeSeconds.trustedBrowser - 10)
    assert.equal((await user.enter({ trustedBrowsers })).kind, 'signed_in')
    setup.advance(10)
    await user.interrupt({ trustedBrowsers })
  })

  test('a browser is trusted for one user, and can be trusted by several, each with a separate handle', async () => {
    const ofFirst = await trust()
    const first = user
    user = await addTwoStepUser(setup, `${user.username}-other`)
    await user.interrupt({ trustedBrowsers: ofFirst })
    const both = await trust(ofFirst)
    assert.equal(both.length, 2)
    assert.equal((await user.enter({ trustedBrowsers: both })).kind, 'signed_in')
    assert.equal((await user.enter({ trustedBrowsers: both, username: first.username })).kind, 'signed_in')
    // A copy that was made before the second user trusted the browser is not trusted for this user
    await user.interrupt({ trustedBrowsers: ofFirst })
    const now = setup.ports.clock.now()
    assert.equal((await setup.ports.trustedBrowsers.allOf(first.subject, now)).length, 1)
  })

  test('a trusted browser has one row for each user, also after it was trusted again', async () => {
    const first = await trust()
    setup.advance(30)
    const second = await trust(first)
    const rows = await setup.ports.trustedBrowsers.allOf(user.subject, setup.ports.clock.now())
    assert.equal(rows.length, 1)
    assert.equal((await user.enter({ trustedBrowsers: second })).kind, 'signed_in')
  })

  test('the trust in a browser ends with a change of the password', async () => {
    const trustedBrowsers = await trust()
    const account = await setup.ports.users.findBySubject(user.subject)
    const successor = await setup.ports.passwords.hash('seven gray herons at noon')
    const hashes = { replaced: account?.passwordHash ?? '', successor }
    assert.equal(
      await setup.ports.users.choosePassword(user.subject, hashes, {
        now: setup.ports.clock.now(),
        notices: [],
      }),
      true,
    )
    await user.interrupt({ trustedBrowsers, password: 'seven gray herons at noon' })
  })
})
