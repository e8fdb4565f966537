/**
 * Tests pre-hijacking: an attacker who registers the address of a victim before the victim signs in with an identity provider gets
 * no access to the account of the victim, and the other way round.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { parseHandle, type SubjectId } from '#lib/protocol/ids.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { emailChangeView } from '../email-change/confirm-email-change.ts'
import { requestRecovery } from '../password-recovery/request-recovery.ts'
import { signIn } from '../sign-in.ts'
import { sessionOf, signInAtProvider } from '../testing/provider-sign-in.ts'
import { form, type TestSignIn } from '../testing/sign-in.ts'
import { requestRegistration } from './request-registration.ts'
import {
  askToRegister,
  chosenPassword,
  confirmLink,
  elsewhere,
  newMails,
  openTestRegistration,
  registrationForm,
} from './testing/registrations.ts'

let mock: TestProvider
let made = 0
/** The address of the victim. */
let email = ''

before(async () => {
  mock = await startTestProvider()
})
after(() => mock.close())
beforeEach(() => {
  made += 1
  email = `victim-${made}@site.example`
})

const anotherBrowser = (setup: TestSignIn): TestSignIn => ({
  ...setup,
  browser: setup.ports.random.handle('browser'),
})

/** The victim signs in at the provider, which has verified the address. Returns the account. */
async function victimEnters(setup: TestSignIn): Promise<SubjectId> {
  const claims = { sub: `victim-${made}`, email, email_verified: true }
  const outcome = await signInAtProvider({ setup: anotherBrowser(setup), mock, scheme: 'partner', claims })
  return (await sessionOf(setup, outcome)).subject
}

/** Returns the account that a name and the password of the attacker lead to; `null`: none. */
async function entersAs({ ports }: TestSignIn, username: string): Promise<SubjectId | null> {
  const outcome = await signIn(ports, form({ username, password: chosenPassword }), elsewhere())
  return outcome.kind === 'signed_in' ? (outcome.begun?.subject ?? null) : null
}

/** Asks for a mail for the forgotten password of the victim's address. Returns the links to a new password. */
async function recoveryLinks(setup: TestSignIn): Promise<readonly string[]> {
  const asked = { typed: email, browser: null, pending: null, back: null, locale: 'en' }
  await requestRecovery(setup.ports, asked, elsewhere())
  await setup.settle()
  return (await newMails(setup)).flatMap(({ values: { link } }) => link ?? [])
}

for (const trustsEmail of [false, true]) {
  const trusted = trustsEmail ? 'trusts' : 'does not trust'

  describe(`an account that begins with a verified address, and an operator who ${trusted} the provider`, () => {
    let setup: TestSignIn
    before(async () => {
      setup = await openTestRegistration({})
      await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, trustsEmail })
    })
    after(() => setup.close())

    test('AU-18 FD-05 an attacker who registers the address before the victim signs in gets no account', async () => {
      const attack = await askToRegister(setup, { email })
      const victim = await victimEnters(setup)
      assert.equal(
        (await confirmLink(anotherBrowser(setup), attack, 'a guess of the victim')).kind,
        'wrong_password',
      )
      assert.equal((await confirmLink(setup, attack)).kind, 'exists', 'also with the link of the mail')
      assert.equal(await entersAs(setup, attack.username), null)
      assert.equal(await entersAs(setup, email), null)
      assert.deepEqual(await recoveryLinks(setup), [], 'a mailbox does not become a new way in')
      assert.equal(await victimEnters(setup), victim)
    })

    test('AU-18 FD-05 an attacker who registers the address of a user of a provider gets no account', async () => {
      const victim = await victimEnters(setup)
      const attack = await askToRegister(setup, { email })
      assert.equal(attack.values.kind, 'exists')
      assert.equal(attack.link, null)
      assert.equal(await entersAs(setup, attack.username), null)
      assert.equal(await victimEnters(setup), victim)
    })
  })

  describe(`an account that begins with an unverified address, and an operator who ${trusted} the provider`, () => {
    let setup: TestSignIn
    before(async () => {
      setup = await openTestRegistration({ email_verification: 'after_sign_in' })
      await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, trustsEmail })
    })
    after(() => setup.close())

    /** The attacker creates an account with the address of the victim. The mail that asks for its verification goes to the victim. */
    async function attack() {
      const sent = registrationForm(setup, { email })
      const outcome = await requestRegistration(setup.ports, sent, elsewhere())
      assert.ok(outcome.kind === 'registered' && outcome.signIn.kind === 'signed_in', outcome.kind)
      await setup.settle()
      const [mail] = await newMails(setup)
      assert.equal(mail?.to, email)
      const { subject } = outcome.signIn.begun ?? assert.fail()
      return { subject, username: sent.username, link: parseHandle('mailLink', mail?.values.link) }
    }

    /** The victim cannot sign in to the account of the attacker, and the attacker cannot sign in to the account of the victim. */
    async function assertSeparate(
      { subject, username, link }: Awaited<ReturnType<typeof attack>>,
      victim: SubjectId,
    ) {
      const { ports } = setup
      assert.notEqual(victim, subject)
      assert.equal(await victimEnters(setup), victim, 'also at the next sign-in')
      assert.equal(await entersAs(setup, username), subject)
      assert.equal(await entersAs(setup, email), null, 'no account is found by an unverified address')
      const own = await setup.openSession(victim)
      assert.equal(
        await emailChangeView(ports, own, link),
        null,
        'the victim does not verify it for the attacker',
      )
      assert.deepEqual(await ports.users.links.list(subject), [])
      const account = await ports.users.findBySubject(subject)
      assert.equal(account?.claims.email_verified, false)
      assert.equal((await ports.users.findBySubject(victim))?.passwordHash, null)
      assert.deepEqual(await recoveryLinks(setup), [])
    }

    test('AU-18 FD-05 a victim who then signs in with a provider gets a separate account', async () => {
      const attacker = await attack()
      await assertSeparate(attacker, await victimEnters(setup))
    })

    test('AU-18 FD-05 an attacker who registers the address of a user of a provider gets a separate account', async () => {
      const victim = await victimEnters(setup)
      await assertSeparate(await attack(), victim)
    })

    test('AU-18 a provider that has not verified the address does not lead to the account of the attacker either', async () => {
      const attacker = await attack()
      const claims = { sub: `unverified-${made}`, email, email_verified: false }
      const there = await signInAtProvider({ setup: anotherBrowser(setup), mock, scheme: 'partner', claims })
      const { subject } = await sessionOf(setup, there)
      assert.notEqual(subject, attacker.subject)
      assert.equal(await victimEnters(setup), await victimEnters(setup))
    })
  })
}

test('AU-18 FD-05 a provider that is not trusted, and asserts the address of a victim, leads to no account of the victim', async t => {
  const setup = await openTestRegistration({})
  t.after(() => setup.close())
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
  const asked = await askToRegister(setup, { email })
  assert.equal((await confirmLink(setup, asked)).kind, 'registered')
  const victim = await setup.ports.users.findByUsername(asked.username)
  const claims = { sub: `hostile-${made}`, email, email_verified: true }
  const outcome = await signInAtProvider({ setup, mock, scheme: 'partner', claims })
  assert.ok(outcome.kind === 'partial' && outcome.path === '/login/link', JSON.stringify(outcome))
  assert.deepEqual(await setup.ports.users.links.list(victim?.subject ?? assert.fail()), [])
})
