/** Tests registration by invitation, the policies about it, and registration with a custom user service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { NewAccount } from '#lib/ports/registration.ts'
import type { UserInvitation } from '#lib/ports/user-invitations.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import type { TestSignIn } from '../testing/sign-in.ts'
import { instantUserService } from '../testing/sign-in.ts'
import { findRegistration } from './new-account.ts'
import { type RegistrationInput, requestRegistration } from './request-registration.ts'
import {
  askToRegister,
  confirmLink,
  elsewhere,
  openTestRegistration,
  registrationForm,
} from './testing/registrations.ts'

const opened: TestSignIn[] = []
let setup: TestSignIn

before(async () => {
  setup = await open({ registration: 'invited' })
})
after(async () => {
  for (const each of opened) await each.close()
})

async function open(...given: Parameters<typeof openTestRegistration>): Promise<TestSignIn> {
  const made = await openTestRegistration(...given)
  opened.push(made)
  return made
}

let invitations = 0

/** Stores an invitation, and returns its link. */
async function invite(given: Partial<UserInvitation> = {}, { ports, storage } = setup) {
  invitations += 1
  const now = ports.clock.now()
  const invitation = ports.random.handle('userInvitation')
  const digest = ports.hashing.digest(invitation)
  const email = `invited-${invitations}@example.org`
  const stored = {
    ...{ digest, id: digest, email, isMailed: true, locale: 'de', createdBy: null, createdAt: now },
    ...{ claims: { name: 'Ida', role: 'staff' }, expiresAt: secondsAfter(now, 60) },
    ...given,
  }
  const writes = [{ kind: 'put_user_invitations', invitations: [stored] }] as const
  await storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, now)
  return { invitation, email, id: digest }
}

const send = (changes: Partial<RegistrationInput>, used = setup) =>
  requestRegistration(used.ports, registrationForm(used, changes), elsewhere())

describe('registration by invitation', () => {
  test('is closed without an invitation, and with an unknown one', async () => {
    assert.equal((await send({})).kind, 'closed')
    assert.equal((await send({ invitation: setup.ports.random.handle('userInvitation') })).kind, 'closed')
  })

  test('AU-18 a mailed link proves its address, and gives the claims of the invitation', async () => {
    const { invitation, email } = await invite()
    const form = registrationForm(setup, { invitation, email: 'another@example.org' })
    const outcome = await requestRegistration(setup.ports, form, elsewhere())
    assert.ok(outcome.kind === 'registered' && outcome.signIn.kind === 'signed_in')
    const user = await setup.ports.users.findByUsername(form.username)
    assert.deepEqual(user?.claims, {
      ...{ locale: 'de', name: 'Ida', role: 'staff', email, email_verified: true },
    })
    assert.equal((await send({ invitation })).kind, 'closed')
  })

  test('a link that was given by hand does not prove the address: a mail is sent to it', async () => {
    const { invitation, email } = await invite({ isMailed: false })
    const asked = await askToRegister(setup, { invitation })
    assert.equal(asked.mails[0]?.to, email)
    assert.equal((await confirmLink(setup, asked)).kind, 'registered')
  })

  test('AU-13 one of a hundred forms with one invitation creates an account', async () => {
    const { invitation } = await invite()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => send({ invitation })))
    assert.equal(outcomes.filter(({ kind }) => kind === 'registered').length, 1)
  })

  test('an invitation that is withdrawn before the link of the mail is used creates no account', async () => {
    const { invitation, id } = await invite({ email: null, isMailed: false })
    const asked = await askToRegister(setup, { invitation })
    const writes = [{ kind: 'remove_user_invitation', id }] as const
    await setup.storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, setup.ports.clock.now())
    assert.equal((await confirmLink(setup, asked)).kind, 'expired')
    assert.equal(await setup.ports.users.findByUsername(asked.username), null)
  })

  test('a taken user name leaves the invitation usable', async () => {
    const { invitation } = await invite()
    const taken = await send({ invitation, username: 'alice' })
    assert.deepEqual(taken.kind === 'unfit' && taken.faults, [{ input: 'username', kind: 'taken' }])
    assert.equal((await send({ invitation })).kind, 'registered')
  })

  test('AU-13 a confirmation that fails because a different one took the invitation does not reopen it', async t => {
    const { invitation, id } = await invite({ email: null, isMailed: false })
    const asked = await askToRegister(setup, { invitation })
    const { ports } = setup
    const service = ports.userService.registration ?? assert.fail()
    // The other confirmation of the same link takes the invitation before this one learns that the name is taken
    const { register } = service
    let hasOvertaken = false
    t.mock.method(service, 'register', async (...given: Parameters<typeof register>) => {
      if (hasOvertaken) return register(...given)
      hasOvertaken = true
      assert.equal((await confirmLink(setup, asked)).kind, 'registered')
      return register(...given)
    })
    assert.equal((await confirmLink(setup, asked)).kind, 'taken')
    assert.equal(await ports.userInvitations.find(id, ports.clock.now()), null)
    assert.equal((await send({ invitation })).kind, 'closed')
  })

  test('an invited user who has an account with the address is sent to the sign-in page', async () => {
    const { invitation, email } = await invite()
    await setup.addUser('earlier', {
      password: 'an earlier password',
      claims: { email, email_verified: true },
    })
    assert.equal((await send({ invitation })).kind, 'exists')
  })

  test('does not reopen a closed registration', async () => {
    const closed = await open({ registration: 'closed' })
    const { invitation } = await invite({}, closed)
    assert.equal((await send({ invitation }, closed)).kind, 'closed')
  })
})

describe('the user name', () => {
  test('AU-18 is the address if the policies say so, and then always verified first', async () => {
    const used = await open({ email_as_username: true, email_verification: 'after_sign_in' })
    const asked = await askToRegister(used, { username: '' })
    assert.equal(await used.ports.users.findByUsername(asked.email), null)
    assert.equal((await confirmLink(used, asked)).kind, 'registered')
    assert.ok(await used.ports.users.findByUsername(asked.email))
    // A name that is taken is not revealed, because it is an address
    const again = await askToRegister(used, { username: '', email: asked.email })
    assert.equal(again.values.kind, 'exists')
  })
})

test('the terms that are accepted are those of the form: a version that came later must be seen first', async () => {
  const terms = { terms_uri: 'https://app.example.org/terms', terms_version: '2' }
  const used = await open({ ...terms, email_verification: 'after_sign_in' })
  const earlier = await send({ acceptedTerms: '1' }, used)
  assert.deepEqual(earlier.kind === 'unfit' && earlier.faults, [{ input: 'terms', kind: 'invalid' }])
  const none = await send({ acceptedTerms: '' }, used)
  assert.deepEqual(none.kind === 'unfit' && none.faults, [{ input: 'terms', kind: 'missing' }])
  assert.equal((await send({ acceptedTerms: '2' }, used)).kind, 'registered')
  await used.settle()
})

describe('a custom user service', () => {
  const service = instantUserService(async () => ({ kind: 'refused', message: null }))

  test('has no registration unless it implements it', async () => {
    const { ports } = await open({}, { userService: service })
    assert.equal(await findRegistration(ports, { interaction: null, invitation: null }), null)
  })

  test('creates the account itself, with its own ID, after the address was verified', async () => {
    const created: NewAccount[] = []
    const own = subjectIdSchema.parse('their-own-id')
    const used = await open(
      {},
      {
        userService: {
          ...service,
          completePartial: async subject => ({
            kind: 'full',
            subject,
            name: 'Theirs',
            amr: ['pwd'],
            acr: null,
          }),
          registration: {
            isTaken: async () => false,
            findByAddress: async () => [],
            hashPassword: async password => `theirs:${password}`,
            verifyPassword: async (password, hash) => hash === `theirs:${password}`,
            register: async (account, { consume }) => {
              if (!(await consume())) return { kind: 'expired' }
              created.push(account)
              return { kind: 'registered', subject: own }
            },
          },
        },
      },
    )
    const asked = await askToRegister(used)
    assert.equal(created.length, 0)
    const outcome = await confirmLink(used, asked)
    assert.ok(outcome.kind === 'registered' && outcome.signIn.kind === 'signed_in')
    assert.equal((await confirmLink(used, asked)).kind, 'expired')
    assert.deepEqual(
      created.map(({ username, claims }) => [username, claims.email_verified]),
      [[asked.username, true]],
    )
    const digest = used.ports.hashing.digest(outcome.signIn.session)
    const found = await used.ports.sessions.find(digest, used.ports.clock.now())
    assert.equal(found?.session.subject, own)
  })
})
