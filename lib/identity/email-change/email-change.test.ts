/** Tests a change of the address with a clock that can be moved, and the offer to add one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mailProof, rateLimits } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { ChangeableEmail } from '#lib/ports/email-change.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { parseHandle, type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { currentSession } from '../session.ts'
import { signIn } from '../sign-in.ts'
import { newMails } from '../testing/mails.ts'
import { form, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import {
  confirmByCode,
  confirmEmailChange,
  emailChangeView,
  waitingEmailChange,
} from './confirm-email-change.ts'
import { emailChangeOf, ownEmail, requestEmailChange, resendEmailChange } from './request-email-change.ts'

const password = 'a first password of hers'
let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

type Given = { readonly email?: string; readonly email_verified?: boolean; readonly name?: string }

async function newUser(given?: Given) {
  users += 1
  const username = `user-${users}`
  const email = `${username}@example.org`
  const claims = { ...(given ?? { email, email_verified: true }), locale: 'de' }
  const { subject } = await setup.addUser(username, { password, claims })
  const outcome = await signIn(setup.ports, form({ username, password }), context)
  assert.ok(outcome.kind === 'signed_in')
  const session = (await currentSession(setup.ports, outcome.session)) ?? assert.fail()
  return { username, email, subject, session }
}

/** Asks for a change, and returns its page, link and code. */
async function ask(session: Session, typed: string, ports: Ports = setup.ports) {
  await newMails(setup)
  const { browser } = setup
  const outcome = await requestEmailChange(ports, { session, typed, browser }, context)
  assert.ok(outcome.kind === 'requested', outcome.kind)
  const [mail] = await newMails(setup)
  const { link, code = '' } = mail?.values ?? {}
  return { mail, page: outcome.page, browser, link: parseHandle('mailLink', link), code }
}

type Asked = Awaited<ReturnType<typeof ask>>
const confirm = (session: Session, { link }: Pick<Asked, 'link'>, ports: Ports = setup.ports) =>
  confirmEmailChange(ports, { session, link }, context)
const type = (session: Session, { page, browser, code }: Omit<Asked, 'link' | 'mail'>) =>
  confirmByCode(setup.ports, { session, page, browser, code }, context)
const claimsOf = async (subject: SubjectId) => (await setup.ports.users.findBySubject(subject))?.claims

test('pages show a user without a name by the new address', async () => {
  const named = async ({ session }: Awaited<ReturnType<typeof newUser>>) => {
    const signedIn = await setup.ports.sessions.allOf(session.subject, setup.ports.clock.now())
    return signedIn.map(({ name }) => name)
  }
  const nameless = await newUser()
  await signIn(setup.ports, form({ username: nameless.username, password }), context)
  const asked = await ask(nameless.session, 'shown-1@example.com')
  assert.deepEqual(await named(nameless), [nameless.email, nameless.email])
  assert.equal(await confirm(nameless.session, asked), true)
  assert.deepEqual(await named(nameless), ['shown-1@example.com', 'shown-1@example.com'])

  const given = await newUser({ email: 'named@example.org', email_verified: true, name: 'Nora' })
  assert.equal(await confirm(given.session, await ask(given.session, 'shown-2@example.com')), true)
  assert.deepEqual(await named(given), ['Nora'])
})

describe('the mail to a new address', () => {
  test('AU-15 goes to it in the language of the user, and changes nothing yet', async () => {
    const { email, subject, session } = await newUser()
    const asked = await ask(session, ' New-1@EXAMPLE.com ')
    const { mail, page, browser, link } = asked
    assert.deepEqual([mail?.to, mail?.locale, mail?.content], ['New-1@example.com', 'de', 'change_email'])
    assert.equal((await claimsOf(subject))?.email, email)
    assert.equal((await emailChangeView(setup.ports, session, link))?.address, 'New-1@example.com')
    assert.equal((await waitingEmailChange(setup.ports, { page, browser }))?.address, 'New-1@example.com')
    assert.equal(await waitingEmailChange(setup.ports, { page, browser: null }), null)
  })

  test('AU-13 AU-14 its code works for 10 minutes, its link for 30', async () => {
    const { session } = await newUser()
    const asked = await ask(session, 'new-2@example.com')
    setup.advance(mailProof.codeSeconds - 1)
    assert.equal(await type(session, { ...asked, code: 'AAAA-AAAA' }), 'wrong')
    setup.advance(1)
    assert.equal(await type(session, asked), 'used_up')
    assert.equal((await waitingEmailChange(setup.ports, asked))?.isUsedUp, true)
    setup.advance(mailProof.lifetimeSeconds - mailProof.codeSeconds - 1)
    assert.notEqual(await emailChangeView(setup.ports, session, asked.link), null)
    setup.advance(1)
    assert.equal(await confirm(session, asked), false)
  })

  test('AU-14 a further mail goes to the same address after a minute, and ends the earlier link and code', async () => {
    const { session } = await newUser()
    const { session: other } = await newUser()
    const asked = await ask(session, 'again@example.com')
    const { page, browser } = asked
    const resend = (by: Session, of = page) =>
      resendEmailChange(setup.ports, { session: by, page: of, browser }, context)
    assert.equal((await resend(session)).kind, 'wait')
    setup.advance(mailProof.resendSeconds)
    assert.equal((await resend(other)).kind, 'expired')
    assert.deepEqual(await newMails(setup), [])
    const outcome = await resend(session)
    assert.ok(outcome.kind === 'requested')
    const [mail] = await newMails(setup)
    assert.equal(mail?.to, 'again@example.com')
    assert.equal((await resend(session)).kind, 'expired')
    assert.equal(await confirm(session, asked), false)
    const { code = '' } = mail?.values ?? {}
    assert.equal(await type(session, { page: outcome.page, browser, code }), 'changed')
  })

  test('AU-14 five wrong codes end the code, and not the link', async () => {
    const { session } = await newUser()
    const asked = await ask(session, 'new-3@example.com')
    for (let attempt = 0; attempt < mailProof.attempts; attempt += 1)
      assert.equal(await type(session, { ...asked, code: 'AAAA-AAAA' }), 'wrong')
    assert.equal(await type(session, asked), 'used_up')
    assert.equal(await confirm(session, asked), true)
  })

  test('AU-14 a new mail ends the link and the code of the earlier one', async () => {
    const { subject, session } = await newUser()
    const first = await ask(session, 'first@example.com')
    const second = await ask(session, 'second@example.com')
    assert.equal(await confirm(session, first), false)
    assert.equal(await type(session, first), 'wrong')
    assert.equal(await type(session, second), 'changed')
    assert.equal((await claimsOf(subject))?.email, 'second@example.com')
  })

  test('AU-13 ends with a change of the password, a lock, and another change of the address', async () => {
    const changes = [
      { passwordHash: '$argon2id$another' },
      { enabled: false },
      { claims: { email: 'admin@example.org' } },
    ]
    for (const [index, change] of changes.entries()) {
      const { subject, session } = await newUser()
      const asked = await ask(session, `bound-${index}@example.com`)
      const user = (await setup.ports.users.findBySubject(subject)) ?? assert.fail()
      const put = { users: [{ ...user, ...change }] }
      await setup.storage.configuration.apply({ put, remove: {} }, setup.ports.clock.now())
      assert.equal(await confirm(session, asked), false)
    }
  })

  test('works for no other account, not even in the same browser', async () => {
    const { session } = await newUser()
    const { session: other, subject } = await newUser()
    const asked = await ask(session, 'new-4@example.com')
    assert.equal(await emailChangeView(setup.ports, other, asked.link), null)
    assert.equal(await confirm(other, asked), false)
    const before = await claimsOf(subject)
    assert.notEqual(await type(other, asked), 'changed')
    assert.deepEqual(await claimsOf(subject), before)
  })

  test('is limited for an account and for an address', async () => {
    const { session } = await newUser()
    const { limit } = rateLimits.emailChangeAccount
    for (let index = 0; index < limit; index += 1) await ask(session, `many-${index}@example.com`)
    const again = { session, typed: 'many@example.com', browser: setup.browser }
    assert.equal((await requestEmailChange(setup.ports, again, context)).kind, 'limited')
  })

  test('a stranger who has used up the mails to an address does not keep its owner from a mail', async () => {
    const { session: stranger } = await newUser()
    const typed = 'owner-of-it@example.com'
    const { limit } = rateLimits.emailChangeAddress
    for (let count = 0; count < limit; count += 1) await ask(stranger, typed)
    const again = { session: stranger, typed, browser: setup.browser }
    assert.equal((await requestEmailChange(setup.ports, again, context)).kind, 'limited')
    const { session: owner } = await newUser()
    assert.equal((await ask(owner, typed)).mail?.to, typed)
  })

  test('a mailbox gets a limited number of mails in a day, whichever accounts ask for them', async () => {
    const typed = 'full@example.com'
    const outcomes = new Set<string>()
    for (let account = 0; account < 7; account += 1) {
      const { session } = await newUser()
      const asked = { session, typed, browser: setup.browser }
      for (let count = 0; count < rateLimits.emailChangeAddress.limit; count += 1)
        outcomes.add((await requestEmailChange(setup.ports, asked, context)).kind)
      if (account === 5) assert.deepEqual([...outcomes], ['requested'])
    }
    assert.deepEqual([...outcomes], ['requested', 'limited'])
  })
})

describe('a confirmed address', () => {
  test('AU-16 is verified, and both addresses get a mail, of which only that to the old one takes it back', async () => {
    const { email, subject, session } = await newUser()
    const asked = await ask(session, 'new-5@example.com')
    assert.equal(await confirm(session, asked), true)
    const claims = await claimsOf(subject)
    assert.deepEqual(
      [claims?.email, claims?.email_verified, claims?.locale],
      ['new-5@example.com', true, 'de'],
    )
    const mails = await newMails(setup)
    const sent = mails.map(({ to, values }) => [to, values.change, values.undo === undefined])
    assert.deepEqual(sent, [
      [email, 'email_changed', false],
      ['new-5@example.com', 'email_changed', true],
    ])
  })

  test('is stored by one of twenty concurrent callers', async () => {
    const { session } = await newUser()
    const asked = await ask(session, 'new-6@example.com')
    const results = await Promise.all(Array.from({ length: 20 }, () => confirm(session, asked)))
    assert.equal(results.filter(Boolean).length, 1)
    assert.equal((await newMails(setup)).length, 2)
  })

  test('AU-18 an old address that was not verified gets no mail', async () => {
    const { session } = await newUser({ email: 'stranger@example.org', email_verified: false })
    assert.equal(await confirm(session, await ask(session, 'own@example.com')), true)
    assert.deepEqual(
      (await newMails(setup)).map(({ to }) => to),
      ['own@example.com'],
    )
  })

  test('of two accounts is accepted, and then signs neither of them in', async () => {
    const one = await newUser()
    const two = await newUser()
    assert.equal(await confirm(two.session, await ask(two.session, one.email)), true)
    assert.equal(await setup.ports.users.findByVerifiedEmail(one.email), null)
    const enter = (username: string) => signIn(setup.ports, form({ username, password }), context)
    assert.equal((await enter(one.email)).kind, 'refused')
    assert.equal((await enter(two.username)).kind, 'signed_in')
  })

  test('of a user of the configuration file is not asked for, as the next start would restore the old one', async () => {
    const { session } = await newUser()
    const managed = { ...setup.ports, managedUsers: { has: async () => true } }
    assert.equal(await ownEmail(managed, session), null)
    const asked = { session, typed: 'fresh@example.com', browser: null }
    assert.deepEqual(await requestEmailChange(managed, asked, context), { kind: 'off' })
  })

  test('of a custom user service is changed by its function, and without one no page offers it', async () => {
    const subject = subjectIdSchema.parse('elsewhere-1')
    const { session } = await newUser()
    const account: ChangeableEmail = { subject, address: null, isVerified: false, locale: 'en', state: '1' }
    const changed: string[] = []
    const { emailChange: _, ...service } = setup.ports.userService
    const emailChange: NonNullable<Ports['userService']['emailChange']> = {
      read: async () => account,
      change: async (_account, address, { consume }) => (await consume()) && changed.push(address) > 0,
    }
    const ports = { ...setup.ports, userService: { ...service, emailChange } }
    const own = { ...session, subject }
    const asked = await ask(own, 'elsewhere@example.com', ports)
    assert.deepEqual(await Promise.all([confirm(own, asked, ports), confirm(own, asked, ports)]), [
      true,
      false,
    ])
    assert.deepEqual(changed, ['elsewhere@example.com'])
    assert.equal(emailChangeOf({ ...ports, userService: service }), null)
    assert.equal(emailChangeOf({ ...ports, mail: { kind: 'off' } }), null)
  })
})
