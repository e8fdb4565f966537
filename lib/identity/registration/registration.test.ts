/** Tests registration with a clock that can be moved: verification, attacks on addresses and links, invitations and races. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mailProof, rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { emailChangeView } from '../email-change/confirm-email-change.ts'
import { requestRecovery } from '../password-recovery/request-recovery.ts'
import { signIn } from '../sign-in.ts'
import { form, type TestSignIn } from '../testing/sign-in.ts'
import {
  redeemRegistrationCode,
  registrationView,
  resendRegistration,
  waitingRegistration,
} from './confirm-registration.ts'
import { type RegistrationInput, requestRegistration } from './request-registration.ts'
import {
  askToRegister,
  chosenPassword,
  confirmLink,
  elsewhere,
  newMails,
  openTestRegistration,
  registrationForm,
} from './testing/registrations.ts'

const opened: TestSignIn[] = []
let setup: TestSignIn

before(async () => {
  setup = await open({})
})
after(async () => {
  for (const each of opened) await each.close()
})

async function open(policies: Parameters<typeof openTestRegistration>[0]): Promise<TestSignIn> {
  const made = await openTestRegistration(policies)
  opened.push(made)
  return made
}

const input = (changes: Partial<RegistrationInput> = {}, used = setup) => registrationForm(used, changes)
const ask = (changes: Partial<RegistrationInput> = {}, used = setup) => askToRegister(used, changes)
const confirm = (asked: Parameters<typeof confirmLink>[1], used = setup, typed = '') =>
  confirmLink(used, asked, typed)
const newName = () => input()

const signsIn = async (username: string, typed = chosenPassword, { ports } = setup) =>
  (await signIn(ports, form({ username, password: typed }), elsewhere())).kind === 'signed_in'

describe('registration with verification before the first sign-in', () => {
  test('AU-18 creates the account only when the link is used, with the verified address and the language', async () => {
    const asked = await ask({ fields: { name: 'Ignored' } })
    const [mail, ...others] = asked.mails
    assert.deepEqual(others, [])
    assert.deepEqual([mail?.to, mail?.locale, mail?.content], [asked.email, 'de', 'register'])
    assert.doesNotMatch(JSON.stringify(mail), new RegExp(`${asked.username}(?!@)`))
    assert.equal(await setup.ports.users.findByUsername(asked.username), null)
    const outcome = await confirm(asked)
    assert.ok(outcome.kind === 'registered' && outcome.signIn.kind === 'signed_in')
    assert.equal(outcome.signIn.back, '/account')
    const user = await setup.ports.users.findByUsername(asked.username)
    assert.deepEqual(user?.claims, { locale: 'de', email: asked.email, email_verified: true })
    assert.ok(await signsIn(asked.email))
  })

  test('AU-14 the code works once, only in the browser that asked, and ends the link', async () => {
    const { page, code, link } = await ask()
    const stranger = setup.ports.random.handle('browser')
    assert.equal(
      (await redeemRegistrationCode(setup.ports, { page, browser: stranger, code })).kind,
      'expired',
    )
    const redeemed = await redeemRegistrationCode(setup.ports, { page, browser: setup.browser, code })
    assert.ok(redeemed.kind === 'right')
    assert.equal((await confirm({ link })).kind, 'expired')
    assert.equal((await confirm(redeemed)).kind, 'registered')
    assert.equal((await confirm(redeemed)).kind, 'expired')
  })

  test('AU-13 links and codes end after 30 minutes, and with a further mail', async () => {
    const first = await ask()
    const asked = { page: first.page, browser: setup.browser }
    assert.equal((await resendRegistration(setup.ports, asked, elsewhere())).kind, 'wait')
    setup.advance(mailProof.resendSeconds)
    const again = await resendRegistration(setup.ports, asked, elsewhere())
    assert.ok(again.kind === 'requested')
    await setup.settle()
    const [mail] = await newMails(setup)
    const link = parseHandle('mailLink', mail?.values.link)
    assert.equal((await confirm(first)).kind, 'expired')
    assert.equal((await registrationView(setup.ports, { link, browser: setup.browser }))?.email, first.email)
    setup.advance(mailProof.lifetimeSeconds)
    assert.equal((await confirm({ link })).kind, 'expired')
    assert.equal(await waitingRegistration(setup.ports, { ...asked, page: again.page }), null)
  })

  test('a link used a hundred times at the same time creates one account and one session', async () => {
    const asked = await ask()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => confirm(asked)))
    const kinds = outcomes.map(({ kind }) => kind)
    assert.equal(kinds.filter(kind => kind === 'registered').length, 1)
  })

  test('of two registrations with one user name, the second cannot be completed', async () => {
    const { username } = newName()
    const one = await ask({ username })
    const two = await ask({ username: username.toUpperCase() })
    const outcomes = await Promise.all([confirm(one), confirm(two)])
    assert.equal(outcomes.filter(({ kind }) => kind === 'registered').length, 1)
    const taken = await requestRegistration(setup.ports, input({ username }), elsewhere())
    assert.deepEqual(taken.kind === 'unfit' && taken.faults, [{ input: 'username', kind: 'taken' }])
  })
})

describe('addresses of other users', () => {
  test('AU-05 an address with an account gets the same answer, and a mail without a link that names the account', async () => {
    const first = await ask()
    await confirm(first)
    const again = await ask({ email: first.email.toUpperCase() })
    assert.equal(again.mails.length, 1)
    assert.deepEqual(again.values, { kind: 'exists', usernames: first.username })
    assert.equal(again.mails[0]?.to, first.email)
    const asked = { page: again.page, browser: setup.browser }
    assert.equal((await waitingRegistration(setup.ports, asked))?.email, again.email)
    assert.equal((await redeemRegistrationCode(setup.ports, { ...asked, code: 'ABCD-EFGH' })).kind, 'wrong')
    assert.equal(await setup.ports.users.findByUsername(again.username), null)
  })

  test('AU-18 a user who opens the link of a stranger cannot create the account: the password is needed', async () => {
    const asked = await ask()
    const victim = { ...setup, browser: setup.ports.random.handle('browser') }
    const view = await registrationView(setup.ports, { link: asked.link, browser: victim.browser })
    assert.equal(view?.needsPassword, true)
    assert.equal((await confirm(asked, victim)).kind, 'wrong_password')
    assert.equal((await confirm(asked, victim, 'a guess of the victim')).kind, 'wrong_password')
    assert.equal(await setup.ports.users.findByUsername(asked.username), null)
    const own = await confirm(asked, victim, chosenPassword)
    assert.ok(own.kind === 'registered' && own.signIn.pending === null && own.signIn.back === null)
  })

  test('AU-18 a stranger who registers an address first does not keep its owner out', async () => {
    const { email } = newName()
    const stranger = await ask({ email })
    const owner = { ...setup, browser: setup.ports.random.handle('browser') }
    const own = await ask({ email }, owner)
    assert.equal((await confirm(own, owner)).kind, 'registered')
    assert.equal((await confirm(stranger, { ...setup, browser: stranger.browser })).kind, 'exists')
    assert.ok(await signsIn(email))
    assert.equal(await setup.ports.users.findByUsername(stranger.username), null)
  })

  test('a stranger can cause only a few mails to an address, and does not use up the mails of its owner', async () => {
    const { email } = newName()
    const stranger = { ...context, address: '203.0.113.9' }
    for (let sent = 0; sent < 5; sent += 1) {
      const outcome = await requestRegistration(setup.ports, input({ email }), stranger)
      assert.equal(outcome.kind, 'requested')
    }
    await setup.settle()
    assert.equal((await newMails(setup)).length, rateLimits.registrationMailFromNetwork.limit)
    assert.equal((await ask({ email })).mails.length, 1)
    const last = setup.events.findLast(({ name }) => name === 'registration_requested')
    assert.equal(last?.outcome, 'success')
  })

  test('AU-18 a user name cannot be an address, so no one takes the address of another user as a name', async () => {
    for (const username of [
      'alice@example.org',
      'a',
      '.alice',
      'al ice',
      `${'a'.repeat(65)}`,
      'alice\u202e',
    ]) {
      const outcome = await requestRegistration(setup.ports, input({ username }), elsewhere())
      assert.deepEqual(outcome.kind === 'unfit' && outcome.faults, [{ input: 'username', kind: 'invalid' }])
    }
  })

  test('AU-17 refuses texts that are several addresses, or none', async () => {
    for (const email of [
      'a@x.org,b@y.org',
      'a＠x.org',
      'a@x.org\r\nBcc: b@y.org',
      'a',
      '@x.org',
      'a@b@c.org',
    ]) {
      const outcome = await requestRegistration(setup.ports, input({ email }), elsewhere())
      assert.deepEqual(outcome.kind === 'unfit' && outcome.faults, [{ input: 'email', kind: 'invalid' }])
    }
  })
})

describe('one address', () => {
  test('AU-18 of registrations that are confirmed at the same time, with one address and different names, one creates its account', async () => {
    const { email } = newName()
    const asked = []
    for (let count = 0; count < 3; count += 1) asked.push(await ask({ email }))
    const outcomes = await Promise.all(asked.map(each => confirm(each)))
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['exists', 'exists', 'registered'])
    assert.equal((await setup.ports.users.listByVerifiedEmail(email, 9)).length, 1)
  })

  test('AU-18 the mail about an existing account goes only to the address itself, and not to an account with that user name', async () => {
    const { email } = newName()
    await setup.addUser(email, {
      password: 'a password of another user',
      claims: { email: `other-of-${email}`, email_verified: true, locale: 'en' },
    })
    const named = await ask({ email })
    assert.deepEqual([named.mails.length, named.mails[0]?.to, named.values.kind], [1, email, 'exists'])
    await setup.addUser(`owner-of-${email}`.replace('@', '.'), {
      password: 'a password of its owner',
      claims: { email, email_verified: true, locale: 'en' },
    })
    const owned = await ask({ email })
    assert.deepEqual([owned.mails[0]?.to, owned.mails[0]?.locale], [email, 'en'])
    assert.equal(owned.values.usernames, `owner-of-${email}`.replace('@', '.'))
  })
})

describe('registration with later verification', () => {
  test('AU-18 signs in with an unverified address, which belongs to no one else and finds no account', async () => {
    const used = await open({ email_verification: 'after_sign_in' })
    const owner = { email: 'owner@example.org', email_verified: true }
    await used.addUser('owner', { password: 'the password of its owner', claims: owner })
    const sent = input({ email: 'owner@example.org' }, used)
    const outcome = await requestRegistration(used.ports, sent, elsewhere())
    assert.ok(outcome.kind === 'registered' && outcome.signIn.kind === 'signed_in')
    const user = await used.ports.users.findByUsername(sent.username)
    assert.equal(user?.claims.email_verified, false)
    // The address signs in its owner only, and a forgotten password concerns only its owner
    assert.ok(await signsIn('owner@example.org', 'the password of its owner', used))
    assert.equal(await signsIn('owner@example.org', chosenPassword, used), false)
    await used.settle()
    const [mail, ...others] = await newMails(used)
    assert.deepEqual([mail?.content, mail?.to, others], ['change_email', 'owner@example.org', []])
    const link = parseHandle('mailLink', mail?.values.link)
    const session = async (username: string) =>
      used.openSession((await used.ports.users.findByUsername(username))?.subject ?? '')
    // The owner, who is signed in to another account, cannot verify the address for the stranger
    assert.equal(await emailChangeView(used.ports, await session('owner'), link), null)
    assert.ok(await emailChangeView(used.ports, await session(sent.username), link))
    const recovery = { pending: null, back: null, browser: used.browser, locale: 'en' }
    await requestRecovery(used.ports, { typed: 'owner@example.org', ...recovery }, elsewhere())
    await used.settle()
    const mails = await newMails(used)
    assert.deepEqual(
      mails.map(({ values }) => values.username),
      ['owner'],
    )
  })
})

describe('floods of registrations', () => {
  test('LIM-05 the password of a new user is hashed as one of a stranger, so that it does not delay sign-ins', async t => {
    const service = setup.ports.userService.registration ?? assert.fail()
    const callers: unknown[] = []
    const { hashPassword, verifyPassword } = service
    t.mock.method(service, 'hashPassword', (...[typed, caller]: Parameters<typeof hashPassword>) => {
      callers.push(caller)
      return hashPassword(typed, caller)
    })
    t.mock.method(
      service,
      'verifyPassword',
      (...[typed, hash, caller]: Parameters<typeof verifyPassword>) => {
        callers.push(caller)
        return verifyPassword(typed, hash, caller)
      },
    )
    const asked = await ask()
    await confirm(asked, { ...setup, browser: setup.ports.random.handle('browser') }, chosenPassword)
    assert.deepEqual(
      callers.map(caller => Object(caller).isKnown),
      [false, false],
    )
  })

  test('LIM-05 forms with mistakes count, so that one address cannot have many passwords looked up', async t => {
    const { passwords } = setup.ports
    const { flawsOf } = passwords
    let lookUps = 0
    t.mock.method(passwords, 'flawsOf', (...given: Parameters<typeof flawsOf>) => {
      lookUps += 1
      return flawsOf(...given)
    })
    const here = elsewhere()
    const { limit } = rateLimits.registrationAddress
    for (let sent = 0; sent < limit + 5; sent += 1) {
      const { kind } = await requestRegistration(setup.ports, input({ again: 'differs' }), here)
      assert.equal(kind, sent < limit ? 'unfit' : 'limited')
    }
    assert.equal(lookUps, limit)
  })
})
