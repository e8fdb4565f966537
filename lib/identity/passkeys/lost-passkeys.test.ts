/** Tests who can have lost passkeys removed, the time until then, and what ends it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshSignInSeconds, lostPasskeys } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Credential } from '#lib/ports/sign-in-steps.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { removeLostPasskeys } from '../planned-changes.ts'
import { currentSession } from '../session.ts'
import { signIn } from '../sign-in.ts'
import { takeBackChange } from '../take-back/take-back.ts'
import { newMails } from '../testing/mails.ts'
import { addAuthenticator } from '../testing/second-factor.ts'
import { alicePassword, form, openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { cancelLostPasskeys, canLosePasskeys, plannedRemoval, reportLostPasskeys } from './lost-passkeys.ts'

let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

/** Signs a new user in, who then has a passkey, and an app if `hasApp`. */
async function newUser(hasApp = true, isVerified = true) {
  users += 1
  const username = `user-${users}`
  const email = `${username}@example.org`
  const claims = { email, email_verified: isVerified }
  const { subject } = await setup.addUser(username, { password: alicePassword, claims })
  const outcome = await signIn(setup.ports, form({ username }), context)
  assert.ok(outcome.kind === 'signed_in')
  const session = (await currentSession(setup.ports, outcome.session)) ?? assert.fail()
  setup.advance(3600)
  const passkey = await addPasskey(subject)
  if (hasApp) await addAuthenticator(setup.ports, subject)
  setup.advance(3600)
  return { email, subject, session, passkey }
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

/** The session with these factors, each proven the given number of seconds ago. */
function withFactors(session: Session, kinds: readonly Credential['kind'][], age = 10): Session {
  const at = new Date(setup.ports.clock.now().getTime() - age * 1000).toISOString()
  const factors = kinds.map(kind => ({ methods: [], at, kind }))
  return { ...session, details: { ...session.details, factors } }
}

const report = (session: Session, ports: Ports = setup.ports) => reportLostPasskeys(ports, session, context)
const carryOut = () =>
  removeLostPasskeys({
    ...setup.ports,
    securityNotice: (subject, change) => securityNotice(setup.ports, subject, change),
    newRequestId: () => 'test',
  })
const hasPasskey = async (id: string) => (await setup.ports.passkeys.find(id)) !== null

describe('the report of lost passkeys', () => {
  test('MF-04 needs the password and a code of the app or a recovery code, both in the last five minutes', async () => {
    const { subject, session } = await newUser()
    const refused: readonly (readonly Credential['kind'][])[] = [
      [],
      ['password'],
      ['totp'],
      ['recovery_code'],
      ['passkey'],
      ['provider', 'totp'],
    ]
    for (const kinds of refused) assert.equal(await report(withFactors(session, kinds)), false)
    const late = withFactors(session, ['password', 'totp'], freshSignInSeconds)
    assert.equal(await report(late), false)
    assert.equal(await plannedRemoval(setup.ports, subject), null)
    assert.equal(await report(withFactors(session, ['password', 'recovery_code'])), true)
    assert.notEqual(await plannedRemoval(setup.ports, subject), null)
  })

  test('is not offered without an app, a passkey or mails, nor to the users of a provider', async () => {
    const { session } = await newUser(false)
    assert.equal(await canLosePasskeys(setup.ports, session), false)
    assert.equal(await report(withFactors(session, ['password', 'totp'])), false)
    const { session: other, subject, passkey } = await newUser()
    assert.equal(await canLosePasskeys(setup.ports, other), true)
    assert.equal(await canLosePasskeys(setup.ports, { ...other, idp: 'partner' }), false)
    const mail = { kind: 'off' } as const
    assert.equal(await canLosePasskeys({ ...setup.ports, mail }, other), false)
    const settings = { ...setup.ports.settings, localLogin: false }
    assert.equal(await canLosePasskeys({ ...setup.ports, settings }, other), false)
    await setup.ports.passkeys.remove(
      { subject, id: passkey },
      { notices: [], keeps: null, now: setup.ports.clock.now(), mayRemove: () => true },
    )
    assert.equal(await canLosePasskeys(setup.ports, other), false)
  })

  test('MF-04 is refused without a verified address, because no mail would warn the user', async () => {
    const { subject, session } = await newUser(true, false)
    assert.equal(await report(withFactors(session, ['password', 'totp'])), false)
    assert.equal(await plannedRemoval(setup.ports, subject), null)
  })

  test('AU-16 removes the passkeys after three days, with a mail at the beginning and at the end', async () => {
    const { email, subject, session, passkey } = await newUser()
    await newMails(setup)
    assert.equal(await report(withFactors(session, ['password', 'totp'])), true)
    const [begin] = await newMails(setup)
    assert.deepEqual([begin?.to, begin?.values.change], [email, 'passkeys_lost'])
    setup.advance(lostPasskeys.waitDays * 86_400 - 1)
    await carryOut()
    assert.ok(await hasPasskey(passkey))
    setup.advance(1)
    await Promise.all([carryOut(), carryOut(), carryOut()])
    assert.equal(await hasPasskey(passkey), false)
    const mails = (await newMails(setup)).filter(({ to }) => to === email)
    assert.deepEqual(
      mails.map(({ values }) => values.change),
      ['passkeys_lost_removed'],
    )
    assert.equal(setup.events.findLast(({ name }) => name === 'lost_passkeys_removed')?.subject, subject)
  })

  test('repeating it does not move its time, and causes no further mail', async () => {
    const { subject, session } = await newUser()
    await report(withFactors(session, ['password', 'totp']))
    const planned = await plannedRemoval(setup.ports, subject)
    await newMails(setup)
    setup.advance(600)
    assert.equal(await report(withFactors(session, ['password', 'totp'])), true)
    assert.deepEqual(await plannedRemoval(setup.ports, subject), planned)
    assert.deepEqual(await newMails(setup), [])
  })

  test('ends with a use of a passkey, a click of the user, and the link of its mail', async () => {
    const ends: readonly ((user: Awaited<ReturnType<typeof newUser>>) => Promise<unknown>)[] = [
      ({ passkey }) => {
        const use = { id: passkey, before: 0, signatureCounter: 0, isBackedUp: false }
        return setup.ports.passkeys.recordUse(use, setup.ports.clock.now())
      },
      ({ session }) => cancelLostPasskeys(setup.ports, session, context),
      async () => {
        const mail = (await newMails(setup)).at(-1)
        const { kind } = await takeBackChange(setup.ports, mail?.values.undo ?? '', context)
        assert.equal(kind, 'taken_back')
      },
    ]
    for (const end of ends) {
      const user = await newUser()
      await report(withFactors(user.session, ['password', 'totp']))
      setup.advance(600)
      await end(user)
      assert.equal(await plannedRemoval(setup.ports, user.subject), null)
      setup.advance(lostPasskeys.waitDays * 86_400)
      await carryOut()
      assert.ok(await hasPasskey(user.passkey))
    }
  })
})
