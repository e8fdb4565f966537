import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { lifetimeSeconds, rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Handle } from '#lib/protocol/ids.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { chooseNewPassword, type NewPasswordInput, newPasswordView } from './new-password.ts'
import { completePartialSignIn } from './partial-sign-in.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { knownBrowserLimits } from './sign-in-limits.ts'
import { form, openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

const temporaryPassword = 'abcd-efgh-jkmn-pqrs'
const own = 'seven gray herons at noon'

let setup: TestSignIn
let username: string
let made = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())
beforeEach(async () => {
  made += 1
  username = `newcomer-${made}`
  const claims = { name: 'Nora Newcomer' }
  await setup.addUser(username, { password: temporaryPassword, mustChangePassword: true, claims })
})

async function interrupt(changes: Partial<Parameters<typeof form>[0]> = {}) {
  const given = { username, password: temporaryPassword, browser: setup.browser, ...changes }
  const outcome = await signIn(setup.ports, form(given), context)
  assert.ok(outcome.kind === 'partial', JSON.stringify(outcome))
  return outcome
}

function choose(partial: Handle<'partial'>, changes: Partial<NewPasswordInput> = {}) {
  const { browser, ports } = setup
  const proof = { partial, browser }
  const input = { ...proof, password: own, again: own, previous: [], knownBrowser: null, ...changes }
  return chooseNewPassword(ports, input, context)
}

async function outcomeOf(password: string): Promise<string> {
  const given = form({ username, password, browser: setup.browser })
  return (await signIn(setup.ports, given, context)).kind
}

test('AU-11 a temporary password creates no session and leads to choosing a new one', async () => {
  const outcome = await interrupt()
  assert.equal(outcome.path, newPasswordPath)
  const { subject } = setup.events.at(-1) ?? {}
  assert.deepEqual(
    [setup.events.at(-1)?.name, setup.events.at(-1)?.reason, subject],
    ['sign_in_partial', 'password_change_required', username],
  )
  const user = await setup.ports.users.findByUsername(username)
  assert.ok(user)
  assert.deepEqual(await setup.ports.sessions.allOf(user.subject, setup.ports.clock.now()), [])
})

test('AU-11 the return of an interrupted sign-in does not bypass the new password', async () => {
  const { partial } = await interrupt()
  const { browser, ports } = setup
  const trusting = {
    ...ports,
    userService: {
      ...ports.userService,
      completePartial: async () => {
        throw new Error('asked')
      },
    },
  }
  const back = { partial, browser, previous: [] }
  const outcome = await completePartialSignIn(trusting, back, context)
  assert.deepEqual([outcome.kind, outcome.kind === 'partial' && outcome.path], ['partial', newPasswordPath])
  assert.equal((await choose(partial)).kind, 'signed_in')
})

test('a further interruption is bound to the new password', async () => {
  const { partial } = await interrupt()
  const { browser, ports } = setup
  const isAsked = { terms: true }
  const completePartial: Ports['userService']['completePartial'] = async (subject, hints) =>
    isAsked.terms
      ? { kind: 'partial', subject, path: '/terms' }
      : ports.userService.completePartial(subject, hints)
  const asking = { ...ports, userService: { ...ports.userService, completePartial } }
  const back = { browser, previous: [] }
  const input = { ...back, partial, password: own, again: own, knownBrowser: null }
  const asked = await chooseNewPassword(asking, input, context)
  assert.ok(asked.kind === 'partial')
  isAsked.terms = false
  const done = await completePartialSignIn(asking, { ...back, partial: asked.partial }, context)
  assert.equal(done.kind, 'signed_in')
})

test('a user who chose a password is signed in, and the app’s request continues', async () => {
  const waiting = await pendingRequest(setup, await setup.addClient())
  const { partial } = await interrupt({ ...waiting, remember: true })
  const outcome = await choose(partial)
  assert.ok(outcome.kind === 'signed_in')
  assert.deepEqual(
    [outcome.pending, outcome.persistSeconds],
    [waiting.pending, lifetimeSeconds.rememberedSession],
  )
  const session = await currentSession(setup.ports, outcome.session)
  assert.deepEqual([session?.subject, session?.amr], [username, ['pwd']])
  assert.ok(await knownBrowserLimits(setup.ports, outcome.knownBrowser, username))
  assert.deepEqual(
    setup.events.slice(-2).map(({ name }) => name),
    ['password_changed', 'sign_in_succeeded'],
  )
})

test('AU-03 the old password is invalid immediately, and the new one is not temporary', async () => {
  const { partial } = await interrupt()
  await choose(partial)
  assert.equal(await outcomeOf(temporaryPassword), 'refused')
  assert.equal(await outcomeOf(own), 'signed_in')
})

const unfit = [
  [['missing', 'missing_again'], '', ''],
  [['missing_again'], own, ''],
  [['missing_again', 'too_short'], 'k4-zu', ''],
  [['differs'], own, `${own} `],
  [['differs', 'too_short', 'common'], 'qwerty', 'qwertz'],
  [['same'], temporaryPassword, temporaryPassword],
  [['too_short'], 'k4-zu', 'k4-zu'],
  [['too_short', 'personal'], 'nora-n7', 'nora-n7'],
  [['too_short', 'repeats', 'common'], '111111', '111111'],
  [['too_long'], 'long '.repeat(300), 'long '.repeat(300)],
  [['too_long', 'repeats'], 'a'.repeat(1100), 'a'.repeat(1100)],
  [['repeats'], 'abababababababab', 'abababababababab'],
  [['personal'], 'newcomer, nora n.', 'newcomer, nora n.'],
  [['common'], 'passwordpassword', 'passwordpassword'],
  [['not_unicode'], 'lone \ud800 surrogate', 'lone \ud800 surrogate'],
] as const
for (const [why, password, again] of unfit) {
  test(`AU-02 ${why} is refused when it is set, and the step can be repeated: ${JSON.stringify(again.slice(0, 24))}`, async () => {
    const { partial } = await interrupt()
    assert.deepEqual(await choose(partial, { password, again }), { kind: 'unfit', why, retryAfterSeconds: 0 })
    assert.equal((await choose(partial)).kind, 'signed_in')
  })
}

test('one of many concurrent submissions sets the password and creates a session', async () => {
  const { partial } = await interrupt()
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_one, index) =>
      choose(partial, { password: `${own} ${index}`, again: `${own} ${index}` }),
    ),
  )
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal(outcomes.filter(({ kind }) => kind === 'expired').length, 9)
  const right = await Promise.all(
    outcomes.map(async ({ kind }, index) => [kind, await outcomeOf(`${own} ${index}`)]),
  )
  const winner = right.filter(([, opened]) => opened === 'signed_in')
  assert.deepEqual(winner, [['signed_in', 'signed_in']])
})

test('the step works only in the interrupted browser, for a limited time', async () => {
  const { partial } = await interrupt()
  const { browser } = setup
  const stranger = setup.ports.random.handle('browser')
  assert.equal((await choose(partial, { browser: stranger })).kind, 'expired')
  assert.equal((await choose(partial, { browser: null })).kind, 'expired')
  assert.equal(await newPasswordView(setup.ports, { partial, browser: stranger }), null)
  const view = await newPasswordView(setup.ports, { partial, browser })
  assert.equal(view?.username, username)
  setup.advance(lifetimeSeconds.partialSignIn + 1)
  assert.equal((await choose(partial)).kind, 'expired')
})

test('a browser without a cookie gets one that identifies it', async () => {
  const { partial, browser } = await interrupt({ browser: null })
  assert.equal((await choose(partial)).kind, 'expired')
  assert.equal((await choose(partial, { browser })).kind, 'signed_in')
})

test('SE-06 resetting the password or locking the account ends the step', async () => {
  const user = await setup.ports.users.findByUsername(username)
  assert.ok(user)
  const passwordHash = await setup.ports.passwords.hash('a different password')
  for (const changed of [
    { ...user, passwordHash },
    { ...user, passwordHash, enabled: false },
  ]) {
    await setup.storage.configuration.apply({ put: { users: [user] }, remove: {} }, setup.ports.clock.now())
    const { partial } = await interrupt()
    await setup.storage.configuration.apply(
      { put: { users: [changed] }, remove: {} },
      setup.ports.clock.now(),
    )
    assert.equal((await choose(partial)).kind, 'expired')
  }
})

describe('SE-06 a sign-in that started before the password changed', () => {
  const begunBefore = async (changes: Partial<StoredUser>) => {
    const { ports, storage } = setup
    const authenticate: Ports['userService']['authenticate'] = async (credentials, hints) => {
      const answer = await ports.userService.authenticate(credentials, hints)
      const user = await ports.users.findByUsername(username)
      assert.ok(user)
      const users = [{ ...user, passwordHash: await ports.passwords.hash('efgh-efgh-efgh'), ...changes }]
      await storage.configuration.apply({ put: { users }, remove: {} }, ports.clock.now())
      return answer
    }
    const slow = { ...ports, userService: { ...ports.userService, authenticate } }
    const given = { username, password: temporaryPassword, browser: setup.browser }
    const outcome = await signIn(slow, form(given), context)
    assert.ok(outcome.kind === 'partial')
    return outcome.partial
  }
  const comeBack = (partial: Handle<'partial'>) => {
    const { ports, browser } = setup
    return completePartialSignIn(ports, { partial, browser, previous: [] }, context)
  }

  test('does not replace a password that was reset', async () => {
    const partial = await begunBefore({})
    const { browser } = setup
    assert.equal(await newPasswordView(setup.ports, { partial, browser }), null)
    assert.equal((await choose(partial)).kind, 'expired')
    assert.equal((await comeBack(partial)).kind, 'expired')
    assert.equal(await outcomeOf('efgh-efgh-efgh'), 'partial')
  })

  test('creates no session after the user chose a password elsewhere', async () => {
    const partial = await begunBefore({ mustChangePassword: false })
    assert.equal((await comeBack(partial)).kind, 'expired')
    assert.equal((await choose(partial)).kind, 'expired')
  })

  test('creates no session when the reset happens between the choice and the session', async () => {
    const { partial } = await interrupt()
    const { ports } = setup
    const completePartial: Ports['userService']['completePartial'] = async (subject, hints) => {
      const user = await ports.users.findBySubject(subject)
      assert.ok(user)
      const users = [{ ...user, passwordHash: await ports.passwords.hash('efgh'), mustChangePassword: true }]
      await setup.storage.configuration.apply({ put: { users }, remove: {} }, ports.clock.now())
      return ports.userService.completePartial(subject, hints)
    }
    const beaten = { ...ports, userService: { ...ports.userService, completePartial } }
    const { browser } = setup
    const input = {
      partial,
      browser,
      password: own,
      again: own,
      previous: [],
      knownBrowser: null,
    }
    const outcome = await chooseNewPassword(beaten, input, context)
    assert.ok(outcome.kind === 'partial')
    assert.equal((await choose(outcome.partial)).kind, 'expired')
  })
})

test('the attempts of a user to choose a new password are limited', async () => {
  const { partial } = await interrupt()
  for (let tried = 0; tried < rateLimits.account.limit; tried += 1) {
    const { kind } = await choose(partial, { password: temporaryPassword, again: temporaryPassword })
    assert.equal(kind, 'unfit')
  }
  const outcome = await choose(partial)
  assert.ok(outcome.kind === 'unfit' && outcome.retryAfterSeconds > 0)
  assert.deepEqual(outcome.why, ['limited'])
})

test('AU-04 a password that was chosen ten years ago still signs in, without a question for a new one', async () => {
  const aged = await openTestSignIn()
  await aged.addUser('aged', { password: own, claims: {} })
  aged.advance(10 * 365 * 86_400)
  const outcome = await signIn(aged.ports, form({ username: 'aged', password: own }), context)
  assert.equal(outcome.kind, 'signed_in')
  await aged.close()
})
