import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { sampleAuditEntry } from '#lib/storage/testing/samples.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from '../external-sign-in.ts'
import { completePartialSignIn } from '../partial-sign-in.ts'
import { currentSession } from '../session.ts'
import type { ReturningSignInOutcome } from '../sign-in-outcome.ts'
import { addTwoStepUser } from '../testing/second-factor.ts'
import { openTestSignIn, pendingRequest, type TestSignIn } from '../testing/sign-in.ts'
import { declineLink, offeredLinkView, proveOfferedAccount } from './offered-link.ts'

const password = 'seven gray herons at noon'
let setup: TestSignIn
let mock: TestProvider
let made = 0
/** The address of this test. */
let email = ''

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
  email = `user-${made}@site.example`
  mock.now = setup.ports.clock.now()
  answerWith({})
  await provider({})
})

/** Sets what the provider reports about its user. */
function answerWith(claims: Claims): void {
  const own = { sub: `upstream-${made}`, email: email.toUpperCase(), email_verified: true, ...claims }
  mock.faults = { claims: honest => ({ ...honest, ...own }) }
}

function provider(changes: Partial<IdentityProvider>) {
  return setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient, ...changes })
}

type UserChanges = { readonly claims?: Claims; readonly password?: string; readonly enabled?: boolean }

/** Stores a user with the verified address and a password. */
function addUser(changes: UserChanges = {}, name = `user-${made}`): Promise<StoredUser> {
  return setup.addUser(name, { claims: { email, email_verified: true }, password, ...changes })
}

/** Signs in at the provider, which authenticates the user immediately. */
async function signInThere(): Promise<ReturningSignInOutcome> {
  const { browser, ports } = setup
  const away = await startExternalSignIn(ports, { scheme: 'partner', pending: null, browser }, context)
  assert.ok(away.kind === 'redirect', JSON.stringify(away))
  const callback = { scheme: 'partner', parameters: mock.approve(away.url), browser, previous: [] }
  return completeExternalSignIn(ports, callback, context)
}

async function subjectOf(outcome: ReturningSignInOutcome): Promise<string | undefined> {
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  return (await currentSession(setup.ports, outcome.session))?.subject
}

async function offered() {
  const outcome = await signInThere()
  assert.ok(outcome.kind === 'partial', JSON.stringify(outcome))
  assert.equal(outcome.path, '/login/link')
  return {
    partial: outcome.partial,
    browser: outcome.browser,
    previous: [],
    trustedBrowsers: [],
    knownBrowser: null,
  }
}

type Offer = Awaited<ReturnType<typeof offered>>
const prove = (offer: Offer, entered = password) =>
  proveOfferedAccount(setup.ports, { ...offer, password: entered }, context)
const linksOf = async ({ subject }: Pick<StoredUser, 'subject'>) =>
  (await setup.ports.users.links.list(subject)).length

test('FD-05 a user whose address an account has proves it by the password, and then signs in with the provider', async () => {
  const user = await addUser()
  const offer = await offered()
  assert.equal(await linksOf(user), 0)
  const view = await offeredLinkView(setup.ports, offer)
  assert.deepEqual([view?.provider, view?.email], ['partner', email.toUpperCase()])
  assert.equal(await subjectOf(await prove(offer)), user.subject)
  assert.equal(await linksOf(user), 1)
  assert.equal(setup.events.at(-1)?.name, 'provider_linked')
  assert.equal(await subjectOf(await signInThere()), user.subject)
})

test('AU-05 FD-05 a wrong password is refused, recorded and limited, and the offer waits', async () => {
  const user = await addUser()
  const offer = await offered()
  const wrong = await prove(offer, 'not this one')
  assert.deepEqual([wrong.kind, wrong.kind === 'refused' && wrong.why], ['refused', 'credentials'])
  assert.deepEqual(setup.events.at(-1)?.reason, 'wrong_password')
  assert.equal(await subjectOf(await prove(offer)), user.subject)
  const other = await addUser({ claims: { email: `other-${email}`, email_verified: true } }, `other-${made}`)
  answerWith({ sub: `other-${made}`, email: `other-${email}` })
  const guessed = await offered()
  let last = await prove(guessed, 'guess')
  for (let attempts = 0; attempts < 30 && !(last.kind === 'refused' && last.why === 'limited'); attempts += 1)
    last = await prove(guessed, 'guess')
  assert.ok(last.kind === 'refused' && last.why === 'limited')
  assert.equal(await linksOf(other), 0)
})

test('FD-05 MF-03 an account with an authenticator app gets the identity only after the code', async () => {
  const user = await addUser()
  const now = setup.ports.clock.now()
  const app = { subject: user.subject, sealedSecret: 'x', lastStep: 0, createdAt: now, lastUsedAt: null }
  await setup.ports.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
  const outcome = await prove(await offered())
  assert.ok(outcome.kind === 'partial', JSON.stringify(outcome))
  assert.equal(outcome.path, '/login/second-factor')
  assert.equal(await linksOf(user), 0)
})

const withdrawals: readonly (readonly [string, Partial<IdentityProvider>])[] = [
  ['disabled', { enabled: false }],
  ['moved to another issuer', { issuer: 'https://moved.example' }],
]
for (const [what, changes] of withdrawals) {
  test(`FD-06 a provider that is ${what} between password and second factor gets no link`, async () => {
    const user = await addTwoStepUser(setup, `late-${made}`, {
      claims: { email, email_verified: true },
      password,
    })
    const waiting = await prove(await offered())
    assert.ok(waiting.kind === 'partial', JSON.stringify(waiting))
    await provider(changes)
    assert.equal((await user.prove(waiting.partial)).kind, 'signed_in', 'the account itself was proven')
    assert.equal(await linksOf(user), 0)
    assert.equal(setup.events.at(-1)?.reason, 'provider_not_allowed')
  })
}

test('FD-05 an offer works once, also concurrently, and only in its browser', async () => {
  const user = await addUser()
  const offer = await offered()
  const stranger = { ...offer, browser: setup.ports.random.handle('browser') }
  assert.equal((await prove(stranger)).kind, 'expired')
  assert.equal(await offeredLinkView(setup.ports, stranger), null)
  const outcomes = await Promise.all([prove(offer), prove(offer), prove(offer)])
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['expired', 'expired', 'signed_in'])
  assert.equal(await linksOf(user), 1)
})

test('FD-05 the page to which other steps return does not pass the offer', async () => {
  await addUser()
  const { partial, browser } = await offered()
  assert.equal(
    (await completePartialSignIn(setup.ports, { partial, browser, previous: [] }, context)).kind,
    'expired',
  )
})

test('a user who declines gets a new account, and is not asked again', async () => {
  const user = await addUser()
  const subject = await subjectOf(await declineLink(setup.ports, await offered(), context))
  assert.notEqual(subject, user.subject)
  assert.equal(await linksOf(user), 0)
  assert.equal(await subjectOf(await signInThere()), subject)
})

const endings: readonly (readonly [string, (user: StoredUser) => Promise<unknown>])[] = [
  ['the provider is disabled', () => provider({ enabled: false })],
  ['the account is locked', user => addUser({ enabled: false }, user.username)],
  ['the password is changed', user => addUser({ password: 'nine red herons at dawn' }, user.username)],
]
for (const [what, end] of endings) {
  test(`FD-06 an offer ends when ${what}`, async () => {
    const user = await addUser()
    const offer = await offered()
    await end(user)
    assert.equal((await prove(offer)).kind, 'expired')
    assert.equal((await declineLink(setup.ports, offer, context)).kind, 'expired')
    assert.equal(await linksOf(user), 0)
  })
}

const strangers: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the provider has not verified the address', async () => answerWith({ email_verified: false })],
  ['the provider sends the text "true" as verification', async () => answerWith({ email_verified: 'true' })],
  ['the account has not verified the address', () => addUser({ claims: { email, email_verified: false } })],
  ['two accounts have the address', () => addUser({}, `twin-${made}`)],
  ['the account is locked', () => addUser({ enabled: false })],
]
for (const [what, arrange] of strangers) {
  for (const trustsEmail of [false, true]) {
    test(`AU-18 the identity gets a new account if ${what}, ${trustsEmail ? 'also' : 'if not'} with trusted addresses`, async () => {
      const user = await addUser()
      await provider({ trustsEmail })
      await arrange()
      assert.notEqual(await subjectOf(await signInThere()), user.subject)
      assert.equal(await linksOf(user), 0)
    })
  }
}

test('FD-05 an account without a password is not offered, and is linked if the addresses are trusted', async () => {
  const user = await setup.addUser(`bare-${made}`, { claims: { email, email_verified: true } })
  await provider({ trustsEmail: true })
  assert.equal(await subjectOf(await signInThere()), user.subject)
})

test('FD-05 AU-18 an account with an identity of a provider that is not trusted is not linked by the address', async () => {
  const user = await setup.addUser(`bare-${made}`, { claims: { email, email_verified: true } })
  const issuer = 'https://weak.example'
  await setup.addProvider('weak', { issuer, ...testProviderClient })
  const identity = {
    scheme: providerSchemeSchema.parse('weak'),
    issuer,
    subject: `weak-${made}`,
    label: null,
  }
  const change = { now: setup.ports.clock.now(), most: 10, notices: [], mayLink: () => true }
  assert.equal(await setup.ports.users.links.add(user.subject, identity, change), 'added')
  await provider({ trustsEmail: true })
  assert.notEqual(await subjectOf(await signInThere()), user.subject)
})

test('FD-05 the verified address of a trusted provider is linked, mailed and recorded', async () => {
  const user = await addUser()
  await provider({ trustsEmail: true })
  assert.equal(await subjectOf(await signInThere()), user.subject)
  assert.equal(await linksOf(user), 1)
  const mails = await setup.storage.outbox.newest(20)
  assert.equal(mails.filter(({ target }) => target === email).length, 1)
  const linked = setup.events.filter(
    ({ name, subject }) => name === 'provider_linked' && subject === user.subject,
  )
  assert.deepEqual(
    linked.map(({ outcome }) => outcome),
    ['success'],
  )
})

test('FD-05 MF-03 a second factor is asked for although the address of the provider is trusted', async () => {
  const user = await addUser()
  const now = setup.ports.clock.now()
  const app = { subject: user.subject, sealedSecret: 'x', lastStep: 0, createdAt: now, lastUsedAt: null }
  await setup.ports.secondFactors.setApp(app, { replaces: null, codes: [], notices: [] })
  await provider({ trustsEmail: true })
  const outcome = await signInThere()
  assert.deepEqual(
    [outcome.kind, outcome.kind === 'partial' && outcome.path],
    ['partial', '/login/second-factor'],
  )
})

test('FD-05 an administrator is never linked by the address, but can prove the account', async () => {
  const user = await addUser()
  const { subject } = user
  const writes = [{ kind: 'put_administrator', subject, role: 'owner' }] as const
  await setup.storage.adminStore.commit({ writes, audit: [sampleAuditEntry()] }, setup.ports.clock.now())
  await provider({ trustsEmail: true })
  const offer = await offered()
  assert.equal(await linksOf(user), 0)
  assert.equal(await subjectOf(await prove(offer)), subject)
})

test('FD-05 a second identity of the same provider is not linked by the address, which may have a new owner', async () => {
  const user = await addUser()
  await provider({ trustsEmail: true })
  assert.equal(await subjectOf(await signInThere()), user.subject)
  answerWith({ sub: `successor-${made}` })
  await offered()
  assert.equal(await linksOf(user), 1)
})

test('an app that does not allow local sign-in gets a new account without an offer', async () => {
  const user = await addUser()
  const client = await setup.addClient({ enable_local_login: false })
  const waiting = await pendingRequest(setup, client)
  const away = await startExternalSignIn(setup.ports, { scheme: 'partner', ...waiting }, context)
  assert.ok(away.kind === 'redirect')
  const { browser } = setup
  const callback = { scheme: 'partner', parameters: mock.approve(away.url), browser, previous: [] }
  const outcome = await completeExternalSignIn(setup.ports, callback, context)
  assert.notEqual(await subjectOf(outcome), user.subject)
})
