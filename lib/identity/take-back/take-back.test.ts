/** Tests the link “This wasn’t me”, also against attackers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { undoLink } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { SecurityChange } from '#lib/ports/mail.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type Handle, parseHandle, type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { chooseRecoveredPassword } from '../password-recovery/choose-recovered-password.ts'
import { signIn } from '../sign-in.ts'
import { newMails } from '../testing/mails.ts'
import { addAuthenticator } from '../testing/second-factor.ts'
import { form, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { takeBackChange, undoView } from './take-back.ts'

const password = 'a first password of hers'
let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

async function newUser() {
  users += 1
  const username = `user-${users}`
  const email = `${username}@example.org`
  const claims = { email, email_verified: true, name: 'Her Name' }
  const { subject } = await setup.addUser(username, { password, claims })
  setup.advance(3600)
  return { username, email, subject }
}

async function addPasskey(subject: SubjectId): Promise<string> {
  const id = setup.ports.random.id()
  const passkey = {
    ...{ id, subject, idp: 'local', publicKey: 'key', signatureCounter: 0, transports: [] },
    ...{ isBackedUp: false, canBeBackedUp: false, isDiscoverable: true, aaguid: '', name: 'Key' },
    ...{ createdAt: setup.ports.clock.now(), lastUsedAt: null },
  }
  assert.equal(await setup.ports.passkeys.add(passkey, { most: 9, notices: [] }), 'added')
  return id
}

/** Makes the mail about a change as the change itself does, and returns its link. */
async function linkAbout(subject: SubjectId, change: SecurityChange, ports: Ports = setup.ports) {
  const [notice] = await securityNotice(ports, subject, change)
  const { sealedBody = '', id = '' } = notice ?? {}
  const { values } = JSON.parse(ports.sealing.open(sealedBody, `delivery:body:${id}`))
  setup.advance(600)
  return String(values.undo)
}

/** An attacker who is signed in changes the address, as a confirmed change does. Returns the link in the mail to the old address. */
async function changeAddress(subject: SubjectId, address: string): Promise<string> {
  const link = await linkAbout(subject, 'email_changed')
  const { users, clock } = setup.ports
  const user = (await users.findBySubject(subject)) ?? assert.fail()
  assert.ok(await users.changeEmail(subject, { replaced: user, address }, clock.now()))
  setup.advance(600)
  return link
}

const takeBack = async (link: string, ports: Ports = setup.ports) =>
  (await takeBackChange(ports, link, context)).kind
const addressOf = async (subject: SubjectId) => (await setup.ports.users.findBySubject(subject))?.claims.email
const enter = async (username: string, typed: string) =>
  (await signIn(setup.ports, form({ username, password: typed }), context)).kind

async function chooseByMail(link: Handle<'mailLink'> | null, chosen: string) {
  const choice = { link, browser: setup.browser, password: chosen, again: chosen, knownBrowser: null }
  return (await chooseRecoveredPassword(setup.ports, choice, context)).kind
}

describe('“This wasn’t me”', () => {
  test('AU-16 ends sessions, removes the passkey, disables the password, and sends a mail to choose a new one', async () => {
    const { username, email, subject } = await newUser()
    const kept = await addPasskey(subject)
    setup.advance(3600)
    await setup.openSession(subject)
    const added = await addPasskey(subject)
    const link = await linkAbout(subject, 'passkey_added')
    const later = await addPasskey(subject)
    await newMails(setup)
    assert.deepEqual(await takeBackChange(setup.ports, link, context), { kind: 'taken_back', hasMail: true })
    const { ports } = setup
    assert.deepEqual(await ports.sessions.allOf(subject, ports.clock.now()), [])
    const ids = (await ports.passkeys.allOf(subject)).map(({ id }) => id)
    assert.deepEqual([ids.includes(kept), ids.includes(added), ids.includes(later)], [true, false, false])
    assert.equal(await enter(username, password), 'refused')
    const [mail] = await newMails(setup)
    assert.deepEqual([mail?.to, mail?.values.kind], [email, 'taken_back'])
    const chosen = 'eleven calm rivers at noon'
    assert.equal(await chooseByMail(parseHandle('mailLink', mail?.values.link), chosen), 'changed')
    assert.equal(await enter(username, chosen), 'signed_in')
    const event = setup.events.findLast(({ name }) => name === 'change_taken_back')
    assert.deepEqual([event?.subject, event?.details], [subject, { change: 'passkey_added' }])
  })

  test('AU-13 opening the page changes nothing, and the link works for 7 days', async () => {
    const { username, email, subject } = await newUser()
    const link = await linkAbout(subject, 'password_changed')
    const view = await undoView(setup.ports, link)
    assert.deepEqual([view?.change, view?.address], ['password_changed', email])
    assert.equal(await enter(username, password), 'signed_in')
    setup.advance(undoLink.lifetimeSeconds - 601)
    assert.notEqual(await undoView(setup.ports, link), null)
    setup.advance(1)
    assert.equal(await undoView(setup.ports, link), null)
    assert.equal(await takeBack(link), 'expired')
    assert.equal(await enter(username, password), 'signed_in')
  })

  test('works once, also for twenty concurrent callers, and not if it was altered', async () => {
    const { subject } = await newUser()
    const link = await linkAbout(subject, 'passkey_added')
    const altered = `${link.slice(0, -4)}AAAA`
    for (const wrong of ['', 'sealed1', altered]) assert.equal(await takeBack(wrong), 'expired')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => takeBack(link)))
    assert.equal(outcomes.filter(kind => kind === 'taken_back').length, 1)
    assert.equal(await takeBack(link), 'expired')
    assert.equal(await undoView(setup.ports, link), null)
  })

  test('restores the address of an owner after an attacker has changed it twice, and ends the links that the attacker got', async () => {
    const { email, subject } = await newUser()
    const first = await changeAddress(subject, 'attacker@example.com')
    const second = await changeAddress(subject, 'attacker-2@example.com')
    const third = await linkAbout(subject, 'passkey_added')
    await newMails(setup)
    assert.equal(await takeBack(first), 'taken_back')
    assert.equal(await addressOf(subject), email)
    const mails = await newMails(setup)
    assert.deepEqual(
      new Map(mails.map(({ to, values: { change, kind, undo } }) => [to, [change, kind, undo]])),
      new Map([
        // The replaced address may be the one of the owner, if the attacker reads the mails to the earlier one
        ['attacker-2@example.com', ['email_restored', undefined, undefined]],
        [email, [undefined, 'taken_back', undefined]],
      ]),
    )
    for (const link of [second, third]) assert.equal(await takeBack(link), 'expired')
    assert.equal(await addressOf(subject), email)
  })

  test('an earlier link still works after an attacker has used a later one', async () => {
    const { email, subject } = await newUser()
    const first = await changeAddress(subject, 'attacker@example.com')
    const second = await changeAddress(subject, 'attacker-2@example.com')
    assert.equal(await takeBack(second), 'taken_back')
    assert.equal(await addressOf(subject), 'attacker@example.com')
    setup.advance(60)
    assert.equal(await takeBack(first), 'taken_back')
    assert.equal(await addressOf(subject), email)
  })

  test('the owner’s link wins over a later one of the attacker that is used at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email, subject } = await newUser()
      const first = await changeAddress(subject, 'attacker@example.com')
      const second = await changeAddress(subject, 'attacker-2@example.com')
      const [owner] = await Promise.all([takeBack(first), takeBack(second)])
      assert.equal(owner, 'taken_back')
      assert.equal(await addressOf(subject), email)
    }
  })

  test('a new attack after the account was secured can be taken back, too', async () => {
    const { subject } = await newUser()
    assert.equal(await takeBack(await linkAbout(subject, 'passkey_added')), 'taken_back')
    setup.advance(60)
    assert.equal(await takeBack(await linkAbout(subject, 'password_changed')), 'taken_back')
  })

  test('MF-03 keeps the authenticator app that the account had, and the new password does not replace it', async () => {
    const { username, subject } = await newUser()
    const authenticator = await addAuthenticator(setup.ports, subject)
    setup.advance(3600)
    assert.equal(await takeBack(await linkAbout(subject, 'password_changed')), 'taken_back')
    const left = await setup.ports.secondFactors.countRecoveryCodes(subject)
    assert.equal(left, authenticator.recoveryCodes.length)
    const mail = (await newMails(setup)).findLast(({ values }) => values.kind === 'taken_back')
    const chosen = 'thirteen slow clouds over town'
    assert.equal(await chooseByMail(parseHandle('mailLink', mail?.values.link), chosen), 'changed')
    const outcome = await signIn(setup.ports, form({ username, password: chosen }), context)
    assert.equal(outcome.kind === 'partial' && outcome.path, secondFactorPath)
  })

  test('removes recovery codes that were made since, and an app that was set up since', async () => {
    const { subject } = await newUser()
    const { ports } = setup
    await addAuthenticator(ports, subject)
    setup.advance(3600)
    const code = ports.hashing.digest('code')
    const now = ports.clock.now()
    const made = { now, form: { id: ports.random.id(), expiresAt: now }, notices: [] }
    await ports.secondFactors.replaceRecoveryCodes(subject, [code], made)
    assert.equal(await takeBack(await linkAbout(subject, 'recovery_codes_replaced')), 'taken_back')
    assert.equal(await ports.secondFactors.countRecoveryCodes(subject), 0)
    assert.notEqual(await ports.secondFactors.findApp(subject), null)
    const { subject: other } = await newUser()
    await addAuthenticator(ports, other)
    assert.equal(await takeBack(await linkAbout(other, 'authenticator_set')), 'taken_back')
    assert.equal(await ports.secondFactors.findApp(other), null)
  })

  test('MF-04 keeps an app that replaced an earlier one, so that the mailbox is not enough to remove a second factor', async () => {
    const { subject } = await newUser()
    await addAuthenticator(setup.ports, subject)
    setup.advance(3600)
    const link = await linkAbout(subject, 'password_changed')
    await addAuthenticator(setup.ports, subject)
    assert.equal(await takeBack(link), 'taken_back')
    assert.notEqual(await setup.ports.secondFactors.findApp(subject), null)
  })

  test('does not work for a deleted account, nor for a new one with the same subject', async () => {
    const { username, subject } = await newUser()
    const link = await linkAbout(subject, 'password_changed')
    const { configuration } = setup.storage
    const user = (await setup.ports.users.findBySubject(subject)) ?? assert.fail()
    await configuration.apply({ put: {}, remove: { users: [subject] } }, setup.ports.clock.now())
    assert.equal(await takeBack(link), 'expired')
    setup.advance(600)
    await configuration.apply({ put: { users: [user] }, remove: {} }, setup.ports.clock.now())
    assert.equal(await takeBack(link), 'expired')
    assert.equal(await enter(username, password), 'signed_in')
  })

  test('secures a locked account, which stays locked and gets no mail', async () => {
    const { subject } = await newUser()
    const link = await linkAbout(subject, 'passkey_added')
    const added = await addPasskey(subject)
    const user = (await setup.ports.users.findBySubject(subject)) ?? assert.fail()
    const put = { users: [{ ...user, enabled: false }] }
    await setup.storage.configuration.apply({ put, remove: {} }, setup.ports.clock.now())
    assert.deepEqual(await takeBackChange(setup.ports, link, context), { kind: 'taken_back', hasMail: false })
    assert.equal(await setup.ports.passkeys.find(added), null)
    assert.equal((await setup.ports.users.findBySubject(subject))?.enabled, false)
  })

  test('an account without a password gets no mail, and no password', async () => {
    users += 1
    const email = `guest-${users}@example.org`
    const { subject } = await setup.addUser(`guest-${users}`, { claims: { email, email_verified: true } })
    setup.advance(3600)
    const link = await linkAbout(subject, 'passkey_added')
    assert.deepEqual(await takeBackChange(setup.ports, link, context), { kind: 'taken_back', hasMail: false })
    assert.equal((await setup.ports.users.findBySubject(subject))?.passwordHash, null)
  })

  test('ends a mail for a new password, and a planned change, that an attacker asked for', async () => {
    const { subject } = await newUser()
    const link = await linkAbout(subject, 'password_changed')
    const { plannedChanges, clock } = setup.ports
    const planned = { subject, kind: 'delete_account', createdAt: clock.now(), dueAt: clock.now() } as const
    await plannedChanges.plan(planned, [])
    assert.equal(await takeBack(link), 'taken_back')
    assert.deepEqual(await plannedChanges.allOf(subject), [])
  })
})

describe('“This wasn’t me” with a custom user service', () => {
  const subject = subjectIdSchema.parse('elsewhere-1')
  const custom = (restored: string[] | null): Ports => {
    const { restoreAccount: _, recovery: __, ...service } = setup.ports.userService
    const mailbox = async () => ({ address: 'elsewhere@example.org', locale: 'en' })
    type Restore = NonNullable<Ports['userService']['restoreAccount']>
    const restoreAccount: Restore = async ({ address }, commit) => {
      if (!(await commit(null))) return false
      restored?.push(address)
      return true
    }
    const userService = { ...service, mailbox, ...(restored === null ? {} : { restoreAccount }) }
    return { ...setup.ports, userService }
  }

  test('ends sessions and removes ways to sign in, also if it restores nothing', async () => {
    const ports = custom(null)
    await setup.openSession(subject)
    const link = await linkAbout(subject, 'passkey_added', ports)
    const added = await addPasskey(subject)
    assert.deepEqual(await takeBackChange(ports, link, context), { kind: 'taken_back', hasMail: false })
    assert.equal(await ports.passkeys.find(added), null)
    assert.deepEqual(await ports.sessions.allOf(subject, ports.clock.now()), [])
  })

  test('its function restores the account for one of several concurrent callers', async () => {
    const restored: string[] = []
    const ports = custom(restored)
    setup.advance(60)
    const link = await linkAbout(subject, 'password_changed', ports)
    const outcomes = await Promise.all([1, 2, 3].map(() => takeBack(link, ports)))
    assert.deepEqual(outcomes.toSorted(), ['expired', 'expired', 'taken_back'])
    assert.deepEqual(restored, ['elsewhere@example.org'])
  })
})
