import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { ownLinks, removeLink } from '../links/own-links.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { ownPasskeys, removePasskey, renamePasskey } from './own-passkeys.ts'

let setup: TestSignIn
let users = 0

before(async () => {
  setup = await openTestSignIn()
})
after(() => setup.close())

/** A signed-in user with passkeys, and a password unless `isPasswordless` is set. */
async function signedIn(passkeys: number, isPasswordless = false): Promise<Session> {
  users += 1
  const username = `user-${users}`
  await setup.addUser(username, isPasswordless ? {} : { password: 'seven gray herons at noon' })
  const session = await setup.openSession(username)
  for (let made = 0; made < passkeys; made += 1) await add(session, `key-${users}-${made}`)
  return session
}

async function add({ subject, idp }: Session, id: string): Promise<void> {
  const createdAt = setup.ports.clock.now()
  const state = { signatureCounter: 0, isBackedUp: false, canBeBackedUp: false, isDiscoverable: true }
  const rest = { publicKey: '', transports: [], aaguid: '', name: 'Key', createdAt, lastUsedAt: null }
  const passkey: Passkey = { id, subject, idp, ...state, ...rest }
  assert.equal(await setup.ports.passkeys.add(passkey, { most: 20, notices: [] }), 'added')
}

const remove = (session: Session, id: string, ports = setup.ports) =>
  removePasskey(ports, { session, id }, context)
const idsOf = async (session: Session) =>
  (await ownPasskeys(setup.ports, session)).passkeys.map(({ id }) => id)

test('a user removes a passkey, which is recorded', async () => {
  const session = await signedIn(2)
  const [first = '', second] = await idsOf(session)
  assert.equal(await remove(session, first), 'removed')
  assert.deepEqual(await idsOf(session), [second])
  const { name, subject } = setup.events.at(-1) ?? {}
  assert.deepEqual([name, subject], ['passkey_removed', session.subject])
  assert.equal(await remove(session, first), 'unknown')
})

test('the passkey of another user is neither renamed nor removed', async () => {
  const [owner, other] = [await signedIn(1), await signedIn(1)]
  const [id = ''] = await idsOf(owner)
  assert.equal(await remove(other, id), 'unknown')
  assert.equal(await renamePasskey(setup.ports, other, { id, name: 'Mine' }), false)
  assert.deepEqual(await idsOf(owner), [id])
})

test('a user with a password removes the last passkey', async () => {
  const session = await signedIn(1)
  assert.equal((await ownPasskeys(setup.ports, session)).keepsOne, false)
  const [id = ''] = await idsOf(session)
  assert.equal(await remove(session, id), 'removed')
})

test('a user without a password keeps one passkey, also after two removals at the same time', async () => {
  const session = await signedIn(2, true)
  assert.equal((await ownPasskeys(setup.ports, session)).keepsOne, true)
  const outcomes = await Promise.all((await idsOf(session)).map(id => remove(session, id)))
  assert.deepEqual(outcomes.toSorted(), ['last', 'removed'])
  assert.equal((await idsOf(session)).length, 1)
})

test('a password is no way to sign in while local sign-in is off', async () => {
  const session = await signedIn(1)
  const ports = { ...setup.ports, settings: { ...setup.ports.settings, localLogin: false } }
  const [id = ''] = await idsOf(session)
  assert.equal(await remove(session, id, ports), 'last')
})

test('a user of an identity provider or of another user service removes the last passkey', async () => {
  const session = { ...(await signedIn(1, true)), idp: 'partner' }
  const [id = ''] = await idsOf(session)
  assert.equal((await ownPasskeys(setup.ports, session)).keepsOne, false)
  assert.equal(await remove(session, id), 'removed')
  const elsewhere = { ...(await signedIn(0)), subject: subjectIdSchema.parse(`elsewhere-${users}`) }
  await add(elsewhere, `key-elsewhere-${users}`)
  assert.equal((await ownPasskeys(setup.ports, elsewhere)).keepsOne, false)
  assert.equal(await remove(elsewhere, `key-elsewhere-${users}`), 'removed')
})

/** Links an identity at an enabled provider to the account of the session. */
async function link({ subject }: Session) {
  const { scheme, issuer } = await setup.addProvider('partner')
  const identity = { scheme, issuer, subject: `partner-${subject}`, label: null }
  const change = { now: setup.ports.clock.now(), most: 9, notices: [], mayLink: () => true }
  assert.equal(await setup.ports.users.links.add(subject, identity, change), 'added')
  const [own] = (await ownLinks(setup.ports, { subject }))?.links ?? []
  return own?.id
}

test('a user without a password removes the last passkey if an identity is linked', async () => {
  const session = await signedIn(1, true)
  await link(session)
  assert.equal((await ownPasskeys(setup.ports, session)).keepsOne, false)
  const [id = ''] = await idsOf(session)
  assert.equal(await remove(session, id), 'removed')
})

test('a passkey that is only a second factor at a provider is no way to sign in', async () => {
  const session = await signedIn(1, true)
  const [id = ''] = await idsOf(session)
  await add({ ...session, idp: 'partner' }, `factor-${users}`)
  assert.equal(await remove(session, id), 'last')
})

/** A user without a password, with a passkey and an identity, and a session of each. */
async function withTwoWays() {
  const session = await signedIn(1, true)
  const linked = await link(session)
  const [id = ''] = await idsOf(session)
  const there = await setup.openSession(session.subject, { idp: 'partner' })
  return {
    unlink: () => removeLink(setup.ports, { session, id: linked }, context),
    removePasskey: () => remove(there, id),
  }
}

test('SE-06 the last passkey is not removed in a session of an identity that was unlinked', async () => {
  const user = await withTwoWays()
  assert.equal(await user.unlink(), 'removed')
  assert.equal(await user.removePasskey(), 'unknown')
})

test('SE-06 the last two ways to sign in are not removed at the same moment', async () => {
  for (const _ of Array.from({ length: 10 })) {
    const user = await withTwoWays()
    const outcomes = await Promise.all([user.unlink(), user.removePasskey()])
    assert.equal(outcomes.filter(outcome => outcome === 'removed').length, 1, outcomes.join())
  }
})

test('a new name is shown as plain text, and an invisible one is refused', async () => {
  const session = await signedIn(1)
  const [id = ''] = await idsOf(session)
  const nameOf = async () => (await ownPasskeys(setup.ports, session)).passkeys[0]?.name
  assert.equal(await renamePasskey(setup.ports, session, { id, name: '  My\u202e phone ' }), true)
  assert.equal(await nameOf(), 'My phone')
  assert.equal(await renamePasskey(setup.ports, session, { id, name: '\u200b' }), false)
  assert.equal(await nameOf(), 'My phone')
  assert.equal(await renamePasskey(setup.ports, session, { id, name: 'x'.repeat(100) }), true)
  assert.equal((await nameOf())?.length, 60)
})
