/** Tests the links and codes of a forgotten password with a clock that can be moved. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mailProof } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { MailBody } from '#lib/ports/mail.ts'
import { deliveryContext } from '#lib/ports/outbox.ts'
import type { RecoverableAccount } from '#lib/ports/password-recovery.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { parseHandle, subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { signIn } from '../sign-in.ts'
import { form, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { chooseRecoveredPassword } from './choose-recovered-password.ts'
import { recoveryView } from './recovery-link.ts'
import { hasRecoveryPage, recoveryOf, requestRecovery } from './request-recovery.ts'
import { redeemCode, waitingRecovery } from './waiting-recovery.ts'

const chosen = 'nine quiet harbors at night'
let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

async function newUser(locale: Readonly<Record<string, string>> = { locale: 'de' }) {
  users += 1
  const username = `user-${users}`
  const email = `${username}@example.org`
  const { subject } = await setup.addUser(username, {
    password: 'a first password of hers',
    claims: { email, email_verified: true, ...locale },
  })
  return { username, email, subject }
}

/** Asks for a mail, and returns its page, its link and its code. */
async function ask(typed: string, { ports, settle, storage, browser }: TestSignIn = setup) {
  const request = { typed, pending: null, back: '/account', browser, locale: 'fr' }
  const asked = await requestRecovery(ports, request, context)
  assert.ok(asked.kind === 'requested')
  await settle()
  const mails = (await newMails(ports, storage)).filter(({ content }) => content === 'reset_password')
  const values = mails[0]?.values ?? {}
  return { ...asked, mails, values, link: parseHandle('mailLink', values.link), code: values.code ?? '' }
}

/** Takes the mails out of the outbox. */
async function newMails({ clock, sealing }: Ports, { outbox }: TestSignIn['storage']): Promise<MailBody[]> {
  const now = clock.now()
  const until = secondsAfter(now, 31_536_000)
  const mails: MailBody[] = []
  for (;;) {
    const leased = await outbox.lease({ lease: 'test', kinds: ['mail'], now, until })
    if (leased === null) return mails
    mails.push(JSON.parse(sealing.open(leased.sealedBody, deliveryContext(leased.id))))
  }
}

const choose = ({ link }: Pick<Awaited<ReturnType<typeof ask>>, 'link'>, { ports, browser } = setup) =>
  chooseRecoveredPassword(
    ports,
    { link, browser, password: chosen, again: chosen, knownBrowser: null },
    context,
  )
const viewOf = ({ link }: Pick<Awaited<ReturnType<typeof ask>>, 'link'>) =>
  recoveryView(setup.ports, { link, browser: setup.browser })

test('AU-05 no account is looked up and no mail is stored before the response', async () => {
  const { username } = await newUser()
  const late: (() => Promise<void>)[] = []
  const standard = recoveryOf(setup.ports, null) ?? assert.fail()
  const recovery = { ...standard, find: () => assert.fail('an account was looked up') }
  const userService = { ...setup.ports.userService, recovery }
  const afterwards: Ports['afterwards'] = work => void late.push(work)
  const ports = { ...setup.ports, afterwards, userService }
  const asked = { typed: username, pending: null, back: null, browser: setup.browser, locale: 'en' }
  assert.equal((await requestRecovery(ports, asked, context)).kind, 'requested')
  assert.deepEqual(await newMails(setup.ports, setup.storage), [])
  assert.equal(late.length, 1)
})

describe('the link and the code of a forgotten password', () => {
  test('AU-13 link and code are sent to the verified address in the language of the user, else of the page, with the name of the account', async () => {
    const { username, email } = await newUser()
    for (const typed of [username, email.toUpperCase()]) {
      const { mails, values } = await ask(typed)
      const [mail, ...others] = mails
      assert.deepEqual(others, [])
      assert.deepEqual([mail?.to, mail?.locale, values.username], [email, 'de', username])
      assert.match(values.link ?? '', /^lnk_[\w-]{43}$/)
      assert.match(values.code ?? '', /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
    }
    assert.equal((await ask((await newUser({})).username)).mails[0]?.locale, 'fr')
  })

  test('AU-13 link and code end after 30 minutes', async () => {
    const { username } = await newUser()
    const asked = await ask(username)
    setup.advance(mailProof.lifetimeSeconds - 1)
    assert.equal((await viewOf(asked))?.username, username)
    setup.advance(1)
    assert.equal(await viewOf(asked), null)
    assert.equal((await choose(asked)).kind, 'expired')
    const { page, code } = asked
    assert.equal((await redeemCode(setup.ports, { page, browser: setup.browser, code })).kind, 'expired')
    assert.equal(await waitingRecovery(setup.ports, { page, browser: setup.browser }), null)
  })

  test('AU-13 link and code end with a change of the password, a lock, and a change of the address', async () => {
    const changes = [
      { passwordHash: '$argon2id$another' },
      { enabled: false },
      { claims: { email: 'new@example.org', email_verified: true } },
    ]
    for (const change of changes) {
      const { username, subject } = await newUser()
      const asked = await ask(username)
      const user = (await setup.ports.users.findBySubject(subject)) ?? assert.fail()
      await setup.storage.configuration.apply(
        { put: { users: [{ ...user, ...change }] }, remove: {} },
        setup.ports.clock.now(),
      )
      assert.equal(await viewOf(asked), null)
      assert.equal((await choose(asked)).kind, 'expired')
    }
  })

  test('AU-14 a code of one page does not work on another page of the same browser', async () => {
    const { username } = await newUser()
    const { code } = await ask(username)
    const other = await ask('unknown')
    const asked = { page: other.page, browser: setup.browser, code }
    assert.equal((await redeemCode(setup.ports, asked)).kind, 'wrong')
  })
})

describe('a new password by mail', () => {
  test('SE-06 AU-16 a new password by mail ends all sessions, opens none, and causes a mail', async () => {
    const { username, email, subject } = await newUser()
    await setup.openSession(subject)
    const asked = await ask(username)
    const outcome = await choose(asked)
    assert.ok(outcome.kind === 'changed')
    assert.deepEqual(outcome.continues, { pending: null, back: '/account' })
    assert.deepEqual(await setup.ports.sessions.allOf(subject, setup.ports.clock.now()), [])
    const [notice] = await newMails(setup.ports, setup.storage)
    assert.deepEqual([notice?.to, notice?.values.change], [email, 'password_changed'])
    const { details } = setup.events.findLast(({ name }) => name === 'password_changed') ?? {}
    assert.deepEqual(details, { by: 'recovery' })
  })

  test('AU-16 the mail about a new password is stored with the use of the link, whatever happens afterwards', async () => {
    const { username, email } = await newUser()
    const asked = await ask(username)
    const grants = { ...setup.ports.grants, revoke: () => Promise.reject(new Error('the process ends')) }
    const failing = { ...setup, ports: { ...setup.ports, grants } }
    await assert.rejects(choose(asked, failing), /the process ends/)
    const [notice] = await newMails(setup.ports, setup.storage)
    assert.deepEqual([notice?.to, notice?.values.change], [email, 'password_changed'])
  })

  test('AU-03 MF-03 a new password by mail does not replace the second factor, and ends the trust of browsers', async () => {
    const { username, subject } = await newUser()
    const { ports } = setup
    const createdAt = ports.clock.now()
    const app = { subject, sealedSecret: 'sealed', lastStep: 0, createdAt, lastUsedAt: null }
    await ports.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
    const trusted = {
      ...{ digest: ports.hashing.digest('trusted'), id: 'trusted', subject, userAgent: null, address: null },
      ...{ createdAt, lastUsedAt: createdAt, expiresAt: secondsAfter(createdAt, 3600) },
    }
    await ports.trustedBrowsers.add(trusted, [], app)
    assert.equal((await choose(await ask(username))).kind, 'changed')
    assert.deepEqual(await ports.trustedBrowsers.allOf(subject, createdAt), [])
    const outcome = await signIn(ports, form({ username, password: chosen }), context)
    assert.equal(outcome.kind === 'partial' && outcome.path, secondFactorPath)
  })

  test('LIM-05 a new password by mail is hashed as one of a stranger, so that it does not delay sign-ins', async t => {
    const recovery = recoveryOf(setup.ports, null) ?? assert.fail()
    const { setPassword } = recovery
    const callers: unknown[] = []
    t.mock.method(recovery, 'setPassword', (...given: Parameters<typeof setPassword>) => {
      callers.push(given[2].caller.isKnown)
      return setPassword(...given)
    })
    const { username } = await newUser()
    assert.equal((await choose(await ask(username))).kind, 'changed')
    assert.deepEqual(callers, [false])
  })

  test('AU-02 a new password by mail may not resemble the user, and a refused one leaves the link as it is', async () => {
    const { username, email } = await newUser()
    const { link } = await ask(username)
    const { ports, browser } = setup
    const attempt = (password: string) =>
      chooseRecoveredPassword(
        ports,
        { link, browser, password, again: password, knownBrowser: null },
        context,
      )
    const refused = await attempt(email)
    assert.deepEqual(refused.kind === 'unfit' && refused.why, ['personal'])
    assert.equal((await attempt(chosen)).kind, 'changed')
  })
})

describe('no mail with a link is sent', () => {
  const reasonFor = async (typed: string) => {
    const { mails, values } = await ask(typed)
    const { reason } = setup.events.findLast(({ name }) => name === 'password_mail_requested') ?? {}
    return { reason, kinds: mails.map(mail => mail.values.kind), link: values.link }
  }

  test('AU-18 no mail with a link is sent to an address that is not verified', async () => {
    const claims = { email: 'unsure@example.org', email_verified: false }
    await setup.addUser('unsure', { password: 'a first password', claims })
    for (const [typed, reason] of [
      ['unsure', 'no_verified_address'],
      ['unsure@example.org', 'unknown_user'],
    ] as const)
      assert.deepEqual(await reasonFor(typed), { reason, kinds: [], link: undefined })
  })

  test('AU-05 the mail for an account without a password has no link, and says how to sign in', async () => {
    await setup.addUser('guest', { claims: { email: 'guest@example.org', email_verified: true } })
    const seen = await reasonFor('guest@example.org')
    assert.deepEqual(seen, { reason: 'no_password', kinds: ['no_password'], link: undefined })
  })

  test('AU-07 no mail is sent after three within half an hour, while the link of the third works', async () => {
    const { username } = await newUser()
    await ask(username)
    setup.advance(600)
    await ask(username)
    setup.advance(1190)
    const third = await ask(username)
    assert.deepEqual((await ask(username)).mails, [])
    assert.equal((await viewOf(third))?.username, username)
    setup.advance(10)
    assert.equal((await ask(username)).mails.length, 1)
  })

  test('AU-05 passwords are not reset if mail or local sign-in is off, or the user service cannot do it', () => {
    const { ports } = setup
    const { recovery: _, ...service } = ports.userService
    const withoutPasswords = { ...ports, settings: { ...ports.settings, localLogin: false } }
    const withoutService = { ...ports, userService: service }
    assert.notEqual(recoveryOf(ports, null), null)
    for (const off of [{ ...ports, mail: { kind: 'off' } } as const, withoutPasswords, withoutService])
      assert.equal(recoveryOf(off, null), null)
    // Without mail, the page says whom to ask
    assert.equal(hasRecoveryPage(ports, null), true)
    for (const none of [withoutPasswords, withoutService]) assert.equal(hasRecoveryPage(none, null), false)
  })
})

describe('a custom user service', () => {
  test('SE-06 a custom user service sets the password itself, once, and this server ends the sessions', async () => {
    const subject = subjectIdSchema.parse('elsewhere-1')
    const mailbox = { address: 'elsewhere@example.org', locale: 'en' }
    const account: RecoverableAccount = {
      ...{ subject, username: 'elsewhere', kind: 'password', state: 'version 1', mailbox, words: [] },
    }
    const passwords: string[] = []
    const { userService } = setup.ports
    const service = {
      ...userService,
      mailbox: async () => mailbox,
      recovery: {
        find: async () => [account],
        read: async () => account,
        setPassword: async (
          _account: RecoverableAccount,
          password: string,
          { consume }: { consume: () => Promise<boolean> },
        ) => {
          if (!(await consume())) return false
          passwords.push(password)
          return true
        },
      },
    }
    const custom = { ...setup, ports: { ...setup.ports, userService: service } }
    await setup.openSession(subject)
    const asked = await ask('elsewhere', custom)
    const outcomes = await Promise.all([choose(asked, custom), choose(asked, custom)])
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['changed', 'expired'])
    assert.deepEqual(passwords, [chosen])
    assert.deepEqual(await setup.ports.sessions.allOf(subject, setup.ports.clock.now()), [])
    assert.deepEqual(
      (await newMails(setup.ports, setup.storage)).map(({ values }) => values.change),
      ['password_changed'],
    )
  })
})
