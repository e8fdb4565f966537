import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { accountLinks, lifetimeSeconds } from '#lib/config/limits.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Handle } from '#lib/protocol/ids.ts'
import {
  startTestProvider,
  type TestProvider,
  testProviderClient,
  testProviderUser,
} from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from '../external-sign-in.ts'
import { currentSession } from '../session.ts'
import { newMails } from '../testing/mails.ts'
import { openTestSignIn, type TestSignIn } from '../testing/sign-in.ts'
import { confirmLink, linkProofView } from './link-proof.ts'
import { completeLink, linkableProvider, startLink } from './link-provider.ts'
import { ownLinks, removeLink } from './own-links.ts'

let setup: TestSignIn
let mock: TestProvider
let made = 0

before(async () => {
  setup = await openTestSignIn()
  mock = await startTestProvider()
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(async () => {
  made += 1
  const sub = `upstream-${made}`
  mock.now = setup.ports.clock.now()
  mock.faults = { claims: honest => ({ ...honest, sub, auth_time: seconds(mock.now) }) }
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
  await setup.addProvider('school', { issuer: mock.issuer, ...testProviderClient })
})

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** A signed-in user with a verified address, and a password unless `isPasswordless` is set. */
async function signedIn(isPasswordless = false): Promise<Session> {
  const username = `user-${made}-${Math.random()}`
  const claims = { email: `${username}@site.example`, email_verified: true }
  await setup.addUser(username, { claims, ...(isPasswordless ? {} : { password: 'seven gray herons' }) })
  return setup.openSession(username)
}

/** Sends the user to the provider, who signs in there. Returns the parameters of the callback. */
async function goOut(session: Session, scheme = 'partner') {
  const provider = await linkableProvider(setup.ports, scheme)
  assert.ok(provider)
  const url = await startLink(setup.ports, { session, provider }, context)
  assert.ok(url)
  return { url: new URL(url), parameters: mock.approve(url) }
}

type Parameters = Readonly<Record<string, string>>
const comeBack = (session: Session, parameters: Parameters, scheme = 'partner') =>
  completeLink(setup.ports, { session, scheme, parameters }, context)

async function proven(session: Session): Promise<Handle<'linkProof'>> {
  const outcome = await comeBack(session, (await goOut(session)).parameters)
  assert.ok(outcome.kind === 'proven', JSON.stringify(outcome))
  return outcome.proof
}

const confirm = (session: Session, proof: Handle<'linkProof'>) =>
  confirmLink(setup.ports, { session, proof }, context)
const linked = async (session: Session) => (await ownLinks(setup.ports, session))?.links ?? []
const lastEvent = () => {
  const { name, outcome, reason } = setup.events.at(-1) ?? {}
  return [name, outcome, reason]
}

/** The user of the test provider signs in with it. Returns the session. */
async function signInAtProvider(): Promise<Session> {
  const { browser, ports } = setup
  const away = await startExternalSignIn(ports, { scheme: 'partner', pending: null, browser }, context)
  assert.ok(away.kind === 'redirect')
  const callback = { scheme: 'partner', parameters: mock.approve(away.url), browser, previous: [] }
  const outcome = await completeExternalSignIn(ports, callback, context)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  const session = await currentSession(ports, outcome.session)
  assert.ok(session)
  return session
}

test('FD-05 a user who proves the account and the identity links them, and then signs in with the provider', async () => {
  const session = await signedIn()
  const { url, parameters } = await goOut(session)
  assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
  const outcome = await comeBack(session, parameters)
  assert.ok(outcome.kind === 'proven')
  assert.deepEqual(await linked(session), [], 'the user has not confirmed yet')
  assert.deepEqual(await linkProofView(setup.ports, { session, proof: outcome.proof }), {
    provider: 'partner',
    label: testProviderUser.email,
  })
  assert.equal(await confirm(session, outcome.proof), 'added')
  assert.deepEqual(lastEvent(), ['provider_linked', 'success', undefined])
  assert.deepEqual(
    (await linked(session)).map(({ provider, label }) => [provider, label]),
    [['partner', testProviderUser.email]],
  )
  const mails = await setup.storage.outbox.newest(20)
  assert.ok(mails.some(({ target }) => target === `${session.subject}@site.example`))
  assert.equal((await signInAtProvider()).subject, session.subject)
})

test('AU-16 the mails about a new and a removed link name the provider', async () => {
  await setup.addProvider('partner', {
    issuer: mock.issuer,
    ...testProviderClient,
    displayName: 'Partner & Sons',
  })
  const session = await signedIn()
  assert.equal(await confirm(session, await proven(session)), 'added')
  const [link] = await linked(session)
  assert.equal(await removeLink(setup.ports, { session, id: link?.id }, context), 'removed')
  const mails = (await newMails(setup)).filter(({ to }) => to === `${session.subject}@site.example`)
  assert.deepEqual(
    mails.map(({ values: { change, provider } }) => [change, provider]),
    [
      ['provider_linked', 'Partner & Sons'],
      ['provider_unlinked', 'Partner & Sons'],
    ],
  )
})

test('FD-04 a callback of a link is valid once', async () => {
  const session = await signedIn()
  const { parameters } = await goOut(session)
  assert.equal((await comeBack(session, parameters)).kind, 'proven')
  assert.equal((await comeBack(session, parameters)).kind, 'expired')
  assert.deepEqual(lastEvent(), ['provider_linked', 'failure', 'external_state_unknown'])
})

test('FD-05 a callback that arrives in the session of another user, or in another browser, proves nothing', async () => {
  const [session, other] = [await signedIn(), await signedIn()]
  const { parameters } = await goOut(session)
  assert.equal((await comeBack(other, parameters)).kind, 'expired')
  const elsewhere = await setup.openSession(session.subject)
  assert.equal((await comeBack(elsewhere, parameters)).kind, 'expired')
  assert.equal((await comeBack(session, parameters)).kind, 'proven')
})

test('a user who signs in again in the browser can still complete the link', async () => {
  const session = await signedIn()
  const { parameters } = await goOut(session)
  const again = { ...session, digest: setup.ports.hashing.digest('another cookie') }
  assert.equal((await comeBack(again, parameters)).kind, 'proven')
})

test('FD-02 a state of a link signs no one in, and a state of a sign-in links nothing', async () => {
  const session = await signedIn()
  const { browser, ports } = setup
  const { parameters } = await goOut(session)
  const callback = { scheme: 'partner', parameters, browser, previous: [] }
  assert.equal((await completeExternalSignIn(ports, callback, context)).kind, 'expired')
  const away = await startExternalSignIn(ports, { scheme: 'partner', pending: null, browser }, context)
  assert.ok(away.kind === 'redirect')
  assert.equal((await comeBack(session, mock.approve(away.url))).kind, 'expired')
})

test('FD-02 a callback at the address of another provider proves nothing', async () => {
  const session = await signedIn()
  const { parameters } = await goOut(session)
  assert.equal((await comeBack(session, parameters, 'school')).kind, 'not_allowed')
})

test('a user who cancels at the provider, or whose provider fails, links nothing', async () => {
  const session = await signedIn()
  // The codes of RFC 6749, Apple and LinkedIn
  for (const error of ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login']) {
    const { parameters } = await goOut(session)
    const declined = { state: parameters.state ?? '', error }
    assert.equal((await comeBack(session, declined)).kind, 'canceled', error)
  }
  mock.faults = { claims: honest => ({ ...honest, nonce: 'another' }) }
  assert.equal((await comeBack(session, (await goOut(session)).parameters)).kind, 'failed')
})

test('a sign-in at the provider that is not fresh proves nothing', async () => {
  const session = await signedIn()
  mock.faults = { claims: honest => ({ ...honest, auth_time: seconds(mock.now) - 3600 }) }
  assert.equal((await comeBack(session, (await goOut(session)).parameters)).kind, 'failed')
})

test('FD-06 a provider that is disabled in between links nothing, before and after the callback', async () => {
  const session = await signedIn()
  const { parameters } = await goOut(session)
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, enabled: false })
  assert.equal((await comeBack(session, parameters)).kind, 'not_allowed')
  assert.equal(await linkableProvider(setup.ports, 'partner'), null)
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
  const proof = await proven(session)
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, enabled: false })
  assert.equal(await confirm(session, proof), 'expired')
})

test('FD-01 a provider whose issuer was changed in between links nothing', async () => {
  const session = await signedIn()
  const proof = await proven(session)
  await setup.addProvider('partner', { issuer: 'https://other.example', ...testProviderClient })
  assert.equal(await confirm(session, proof), 'expired')
})

test('FD-05 a proof works once, also concurrently, and not after its time', async () => {
  const session = await signedIn()
  const proof = await proven(session)
  const results = await Promise.all([
    confirm(session, proof),
    confirm(session, proof),
    confirm(session, proof),
  ])
  assert.deepEqual(results.toSorted(), ['added', 'expired', 'expired'])
  const late = await proven(session)
  setup.advance(accountLinks.proofSeconds + 1)
  assert.equal(await confirm(session, late), 'expired')
})

test('FD-05 a proof does not work in another session or for another user', async () => {
  const [session, other] = [await signedIn(), await signedIn()]
  const proof = await proven(session)
  assert.equal(await confirm(other, proof), 'expired')
  assert.equal(await linkProofView(setup.ports, { session: other, proof }), null)
  assert.equal(await confirm(await setup.openSession(session.subject), proof), 'expired')
  assert.equal(await confirm(session, proof), 'added')
})

test('FD-05 a proof from before an unlinking does not link the identity again', async () => {
  const session = await signedIn()
  const [first, second] = [await proven(session), await proven(session)]
  assert.equal(await confirm(session, first), 'added')
  const [link] = await linked(session)
  assert.equal(await removeLink(setup.ports, { session, id: link?.id }, context), 'removed')
  assert.equal(await confirm(session, second), 'expired')
})

test('FD-05 an identity of another account is refused and stays there, also if two users confirm at the same time', async () => {
  const [session, other] = [await signedIn(), await signedIn()]
  const proofs = [await proven(session), await proven(other)] as const
  const results = await Promise.all([confirm(session, proofs[0]), confirm(other, proofs[1])])
  assert.deepEqual(results.toSorted(), ['added', 'taken'])
  const winner = results[0] === 'added' ? session : other
  assert.equal((await signInAtProvider()).subject, winner.subject)
})

test('FD-05 an identity whose owner has signed in with it is refused', async () => {
  const owner = await signInAtProvider()
  const session = await signedIn()
  assert.equal(await confirm(session, await proven(session)), 'taken')
  assert.deepEqual(lastEvent(), ['provider_linked', 'failure', 'link_taken'])
  assert.equal((await signInAtProvider()).subject, owner.subject)
})

test('an expired sign-in at the provider proves nothing', async () => {
  const session = await signedIn()
  const { parameters } = await goOut(session)
  setup.advance(lifetimeSeconds.externalSignIn + 1)
  assert.equal((await comeBack(session, parameters)).kind, 'expired')
})

test('a service without links offers none', async () => {
  const { links: _, ...userService } = setup.ports.userService
  const ports = { ...setup.ports, userService }
  const session = await signedIn()
  assert.equal(await ownLinks(ports, session), null)
  assert.equal(await linkableProvider(ports, 'partner'), null)
})
