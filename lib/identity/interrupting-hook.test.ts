/** Tests sign-ins that `postAuthenticate` interrupts. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { context } from '#lib/core/testing/ports.ts'
import { answerTokenRequest } from '#lib/core/token/token.ts'
import type { Hooks, PostAuthenticateRequest } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { startTestProvider, type TestProvider, testProviderClient } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from './external-sign-in.ts'
import { partialDetailsPlace } from './finish-sign-in.ts'
import { newPasswordView } from './new-password.ts'
import { completePartialSignIn, type PartialReturn } from './partial-sign-in.ts'
import { preAuthenticate } from './pre-authenticate.ts'
import { currentSession } from './session.ts'
import { type SignInInput, signIn } from './sign-in.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

const current: { -readonly [Name in keyof Hooks]: Hooks[Name] } = {}
const secret = 'a secret that is hard to guess'
const subject = subjectIdSchema.parse('alice')

let setup: TestSignIn
let mock: TestProvider
let client: Client
before(async () => {
  setup = await openTestSignIn({ hooks: current })
  mock = await startTestProvider()
  for (const name of ['bert', 'carl']) await setup.addUser(name, { password: alicePassword })
  client = await setup.addClient()
  await setup.addClient({ client_id: 'legacy', grant_types: ['password'], response_types: [] }, secret)
  await setup.addProvider('partner', { issuer: mock.issuer, ...testProviderClient })
})
after(async () => {
  mock.close()
  await setup.close()
})
beforeEach(() => {
  for (const name of Object.keys(current)) Reflect.deleteProperty(current, name)
})

const page = '/terms?ticket=7'
const signInWithPage = async (changes: Partial<SignInInput> = {}) => {
  const outcome = await signIn(setup.ports, form({ browser: setup.browser, ...changes }), context)
  assert.ok(outcome.kind === 'partial', JSON.stringify(outcome))
  return outcome
}
const comeBack = (partial: PartialReturn['partial'], changes: Partial<PartialReturn> = {}) =>
  completePartialSignIn(setup.ports, { partial, browser: setup.browser, previous: [], ...changes }, context)

/**
 * Sets a hook that interrupts until the user returns from its page. Returns the list of the requests that it receives.
 */
function interruptOnce() {
  const seen: PostAuthenticateRequest[] = []
  current.postAuthenticate = async request => {
    seen.push(request)
    const { returnedFrom } = request
    return returnedFrom === null
      ? { kind: 'partial', path: page }
      : { kind: 'accepted', claims: { terms: returnedFrom } }
  }
  return seen
}

test('the user visits the page of the hook without a session; then the hook is called again, and its claims are in the session', async () => {
  const seen = interruptOnce()
  const before = await setup.ports.sessions.allOf(subject, setup.ports.clock.now())
  const carried = await pendingRequest(setup, client)
  const { partial, path } = await signInWithPage({ ...carried, remember: true })
  assert.equal(path, page)
  assert.deepEqual(await setup.ports.sessions.allOf(subject, setup.ports.clock.now()), before)
  const { name, reason, subject: user } = setup.events.at(-1) ?? {}
  assert.deepEqual([name, reason, user], ['sign_in_partial', 'post_authenticate_partial', 'alice'])
  const outcome = await comeBack(partial)
  assert.ok(outcome.kind === 'signed_in')
  assert.equal(outcome.pending, carried.pending)
  assert.notEqual(outcome.persistSeconds, null)
  const session = await currentSession(setup.ports, outcome.session)
  assert.deepEqual(
    [session?.name, session?.amr, session?.idp, session?.details.claims],
    ['Alice Ames', ['pwd'], 'latchkey', { terms: page }],
  )
  const [first, second] = seen
  assert.deepEqual(second, { ...first, returnedFrom: page })
})

test('the hook can interrupt again, or refuse, when the user returns', async () => {
  interruptOnce()
  const { partial } = await signInWithPage()
  current.postAuthenticate = async () => ({ kind: 'partial', path: '/terms?ticket=8' })
  const again = await comeBack(partial)
  assert.ok(again.kind === 'partial')
  assert.deepEqual([again.path, again.partial === partial], ['/terms?ticket=8', false])
  const seen: unknown[] = []
  current.postAuthenticate = async ({ returnedFrom }) => {
    seen.push(returnedFrom)
    return { kind: 'refused', message: 'The terms are a condition.' }
  }
  const refused = await comeBack(again.partial)
  assert.ok(refused.kind === 'refused')
  assert.deepEqual([refused.message, seen], ['The terms are a condition.', ['/terms?ticket=8']])
})

test('of several concurrent returns one is accepted and calls the hook once', async () => {
  const seen = interruptOnce()
  const { partial } = await signInWithPage()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => comeBack(partial)))
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal(seen.length, 2)
  assert.equal((await comeBack(partial)).kind, 'expired')
})

test('a return from another browser, or a late one, opens no session', async () => {
  const seen = interruptOnce()
  const { partial } = await signInWithPage()
  const browser = setup.ports.random.handle('browser')
  assert.equal((await comeBack(partial, { browser })).kind, 'expired')
  setup.advance(lifetimeSeconds.partialSignIn + 1)
  assert.equal((await comeBack(partial)).kind, 'expired')
  assert.equal(seen.length, 1)
})

test('another user who signed in to the browser in the meantime stays signed in', async () => {
  interruptOnce()
  const { partial } = await signInWithPage()
  current.postAuthenticate = async () => ({ kind: 'accepted' })
  const other = await signIn(setup.ports, form({ username: 'bert', browser: setup.browser }), context)
  assert.ok(other.kind === 'signed_in')
  const outcome = await comeBack(partial, { previous: [other.session] })
  assert.ok(outcome.kind === 'signed_in')
  assert.equal((await currentSession(setup.ports, outcome.session))?.subject, 'alice')
  assert.deepEqual(outcome.others, [{ handle: other.session, isPersistent: false }])
  assert.ok(await currentSession(setup.ports, other.session))
})

test('a return after the client was disabled or the user locked opens no session', async () => {
  interruptOnce()
  await setup.addClient({ client_id: 'closing' })
  const closing = await setup.addClient({ client_id: 'closing' })
  const carried = await pendingRequest(setup, closing)
  const { partial } = await signInWithPage(carried)
  await setup.addClient({ client_id: 'closing', enabled: false })
  assert.equal((await comeBack(partial)).kind, 'expired')
  const ofUser = await signInWithPage({ username: 'carl' })
  await setup.addUser('carl', { enabled: false })
  assert.notEqual((await comeBack(ofUser.partial)).kind, 'signed_in')
})

test('a user of an identity provider returns with the claims of the provider', async () => {
  const seen = interruptOnce()
  const { ports, browser } = setup
  mock.now = ports.clock.now()
  const out = await startExternalSignIn(ports, { scheme: 'partner', browser, pending: null }, context)
  assert.ok(out.kind === 'redirect')
  const callback = { scheme: 'partner', parameters: mock.approve(out.url), browser, previous: [] }
  const interrupted = await completeExternalSignIn(ports, callback, context)
  assert.ok(interrupted.kind === 'partial')
  const outcome = await comeBack(interrupted.partial)
  assert.ok(outcome.kind === 'signed_in')
  assert.equal(seen[0]?.providerClaims?.email, 'una@partner.example')
  assert.deepEqual(seen[1], { ...seen[0], returnedFrom: page })
})

test('the claims of the provider are stored with an interruption only if this hook is defined', async () => {
  const stored: unknown[] = []
  const partialSignIns: Ports['partialSignIns'] = {
    ...setup.ports.partialSignIns,
    create: async row => {
      const details = ports.sealing.open(row.sealedDetails, partialDetailsPlace(row.digest))
      stored.push(JSON.parse(details).proven.provider.claims?.email ?? null)
      await setup.ports.partialSignIns.create(row)
    },
  }
  const userService: Ports['userService'] = {
    ...setup.ports.userService,
    authenticateExternal: async () => ({ kind: 'partial', subject, path: page }),
    completePartial: async () => ({ kind: 'full', subject, name: 'Alice', amr: [], acr: null }),
  }
  const ports = { ...setup.ports, partialSignIns, userService }
  const { browser } = setup
  const interrupted = async () => {
    mock.now = ports.clock.now()
    const out = await startExternalSignIn(ports, { scheme: 'partner', browser, pending: null }, context)
    assert.ok(out.kind === 'redirect')
    const callback = { scheme: 'partner', parameters: mock.approve(out.url), browser, previous: [] }
    const outcome = await completeExternalSignIn(ports, callback, context)
    assert.ok(outcome.kind === 'partial')
    return outcome.partial
  }
  await interrupted()
  const seen = interruptOnce()
  const partial = await interrupted()
  assert.deepEqual(stored, [null, 'una@partner.example'])
  const outcome = await completePartialSignIn(ports, { partial, browser, previous: [] }, context)
  assert.equal(outcome.kind, 'partial')
  assert.deepEqual([seen[0]?.providerClaims?.email, seen[0]?.returnedFrom], ['una@partner.example', null])
})

test('the page for a new password does not apply to an interruption of the hook', async () => {
  interruptOnce()
  await setup.addUser('temp', { password: alicePassword, mustChangePassword: true })
  current.preAuthenticate = async () => ({
    kind: 'signed_in',
    subject: subjectIdSchema.parse('temp'),
    name: 'Temp',
    amr: ['wia'],
  })
  const hooked = await begun()
  assert.ok(hooked?.kind === 'finished' && hooked.outcome.kind === 'partial')
  const { partial } = hooked.outcome
  assert.equal(await newPasswordView(setup.ports, { partial, browser: setup.browser }), null)
  assert.equal((await comeBack(partial)).kind, 'signed_in')
})

test('a page of another site fails the sign-in', async () => {
  current.postAuthenticate = async () => ({ kind: 'partial', path: '//evil.example' })
  await assert.rejects(signInWithPage(), /partial_path_leaves_this_origin/)
})

test('the password grant, which cannot show a page, is refused', async () => {
  interruptOnce()
  const request = { grant_type: 'password', scope: 'api', username: 'alice', password: alicePassword }
  const parameters = parametersFrom({ client_id: 'legacy', client_secret: secret, ...request })
  const refused = await answerTokenRequest(setup.ports, { parameters, authorization: null }, context)
  assert.ok(refused.kind === 'refused')
  assert.deepEqual(
    [refused.refusal.code, setup.events.at(-1)?.reason],
    ['invalid_grant', 'post_authenticate_partial'],
  )
})

async function begun() {
  const { ports, browser } = setup
  const asked = { client_id: client.clientId, response_type: 'code', scope: 'openid' }
  const parameters = parametersFrom({ ...asked, redirect_uri: client.redirectUris[0] ?? '' })
  const outcome = await authorize(ports, { parameters, session: null, browser }, context)
  return preAuthenticate(ports, { headers: {}, cookies: {}, outcome, browser, previous: [] }, context)
}
