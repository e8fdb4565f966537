/** Tests attacks with identities that were unlinked, while the operator trusts the addresses of their provider. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { takeBackChange } from '../take-back/take-back.ts'
import { newMails } from '../testing/mails.ts'
import { sessionOf, signInAtProvider } from '../testing/provider-sign-in.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { proveOfferedAccount } from './offered-link.ts'
import { ownLinks, removeLink } from './own-links.ts'

const password = 'seven gray herons at noon'
let setup: TestSignIn
let mock: TestProvider
let made = 0
/** The address of the user of this test. */
let email = ''

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
  const client = { issuer: mock.issuer, ...testProviderClient }
  for (const scheme of ['partner', 'other']) await setup.addProvider(scheme, { ...client, trustsEmail: true })
  await setup.addProvider('weak', client)
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(() => {
  made += 1
  email = `user-${made}@site.example`
})

/** Stores a user with the verified address and a password. */
async function addUser() {
  const user = await setup.addUser(`user-${made}`, { claims: { email, email_verified: true }, password })
  setup.advance(3600)
  return user
}

type Sent = { readonly sub?: string; readonly email?: string }

const enter = (scheme: string, { sub = `sub-${made}`, ...sent }: Sent = {}, ports: Ports = setup.ports) => {
  const claims = { sub, email, email_verified: true, ...sent }
  return signInAtProvider({ setup, mock, scheme, claims, ports })
}

const linksOf = async (subject: SubjectId) => (await setup.ports.users.links.list(subject)).length

/** Unlinks the only identity of this provider. */
async function unlink(session: Session, scheme: string): Promise<void> {
  const link = (await ownLinks(setup.ports, session))?.links.find(own => own.scheme === scheme)
  assert.equal(await removeLink(setup.ports, { session, id: link?.id }, context), 'removed')
}

test('FD-05 an identity that its user has unlinked does not come back by its address, but with the password', async () => {
  const { subject } = await addUser()
  assert.equal((await sessionOf(setup, await enter('partner'))).subject, subject)
  await unlink(await setup.openSession(subject), 'partner')
  const offer = await enter('partner')
  assert.ok(offer.kind === 'partial' && offer.path === '/login/link', JSON.stringify(offer))
  assert.equal(await linksOf(subject), 0)
  const cookies = { browser: offer.browser, previous: [], trustedBrowsers: [], knownBrowser: null }
  const proof = { ...cookies, partial: offer.partial, password }
  const proven = await sessionOf(setup, await proveOfferedAccount(setup.ports, proof, context))
  assert.deepEqual([proven.subject, await linksOf(subject)], [subject, 1])
})

test('FD-05 AU-16 an identity that its user has taken back by mail does not come back by its address', async () => {
  const { subject } = await addUser()
  await newMails(setup)
  assert.equal((await sessionOf(setup, await enter('partner'))).subject, subject)
  const mail = (await newMails(setup)).find(({ values }) => values.change === 'provider_linked')
  const outcome = await takeBackChange(setup.ports, mail?.values.undo ?? '', context)
  assert.equal(outcome.kind, 'taken_back')
  assert.equal((await enter('partner')).kind, 'partial')
  assert.equal(await linksOf(subject), 0)
})

test('FD-05 the next owner of a mailbox does not get the account after its identity there was unlinked', async () => {
  const { subject } = await addUser()
  await enter('partner')
  await unlink(await setup.openSession(subject), 'partner')
  const offer = await enter('partner', { sub: `successor-${made}` })
  assert.ok(offer.kind === 'partial' && offer.path === '/login/link', JSON.stringify(offer))
  assert.equal(await linksOf(subject), 0)
})

test('AU-18 an address of an unlinked provider that is not trusted gives an attacker no identity of its owner', async () => {
  const attacker = await sessionOf(setup, await enter('weak', { sub: `attacker-${made}` }))
  const { subject } = attacker
  const { scheme } = await setup.addProvider('partner', {
    ...{ issuer: mock.issuer, trustsEmail: true },
    ...testProviderClient,
  })
  const own = { scheme, issuer: mock.issuer, subject: `own-${made}`, label: null }
  const change = { now: setup.ports.clock.now(), most: 9, notices: [], mayLink: () => true }
  assert.equal(await setup.ports.users.links.add(subject, own, change), 'added')
  const there = await enter('partner', { sub: own.subject, email: `own-${email}` })
  assert.equal((await sessionOf(setup, there)).subject, subject)
  await unlink(attacker, 'weak')
  const victim = await sessionOf(setup, await enter('other', { sub: `victim-${made}` }))
  assert.notEqual(victim.subject, subject)
  assert.equal(await linksOf(subject), 1)
})

test('FD-05 no identity is linked by an address that the account has just lost', async () => {
  const user = await addUser()
  const { users, userService, clock } = setup.ports
  const links = userService.links ?? assert.fail()
  const add: typeof links.add = async (...given) => {
    const changed = { replaced: user, address: `new-${email}` }
    assert.ok(await users.changeEmail(user.subject, changed, clock.now()))
    return links.add(...given)
  }
  const ports = { ...setup.ports, userService: { ...userService, links: { ...links, add } } }
  const { subject } = await sessionOf(setup, await enter('partner', {}, ports))
  assert.notEqual(subject, user.subject)
  assert.equal(await linksOf(user.subject), 0)
})
