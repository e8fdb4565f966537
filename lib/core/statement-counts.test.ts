/**
 * Fixes the number of statements that read, and of messages that write, that a request sends to SQLite once
 * registrations are cached. Later writes of the server itself (events, last uses) do not count.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountNames } from '#lib/identity/account.ts'
import { signInOptions, signInWithPasskey } from '#lib/identity/passkeys/sign-in.ts'
import { addPasskey } from '#lib/identity/passkeys/testing/passkeys.ts'
import { readInteraction, readPendingRequest } from '#lib/identity/pending-user.ts'
import { currentSession, readCurrentSession } from '#lib/identity/session.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import { clientIdSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { countStatements } from '#lib/storage/testing/count-statements.ts'
import { authorize } from './authorize/authorize.ts'
import { chooseAccount, isSignedInFor, resume } from './authorize/resume.ts'
import { answerConsent, consentView } from './consent/consent.ts'
import { introspect } from './introspection/introspection.ts'
import { signOut } from './logout/end-session.ts'
import { context } from './testing/ports.ts'
import { testMachine } from './testing/registrations.ts'
import { issued, openTestFlow, redemption, refreshing, secret, type TestFlow } from './testing/token-flow.ts'
import { validParameters } from './testing/validation-input.ts'
import { userinfo } from './userinfo/userinfo.ts'
import { validateAccessToken } from './validation/validation.ts'

/** Prepares a request, and returns the function that sends it. */
type Operation = () => Promise<() => Promise<unknown>>

const jwt = 'jwt'
const reference = 'reference'
const reusable = 'reusable'

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
  await flow.addClient({ client_id: 'consenting', require_consent: true }, secret)
  await flow.addClient({ client_id: jwt, access_token_type: 'jwt' }, secret)
  await flow.addClient({ client_id: reference, access_token_type: 'reference' }, secret)
  const refreshing = { refresh_token_usage: 'reuse', refresh_token_expiration: 'absolute' } as const
  await flow.addClient({ client_id: reusable, ...refreshing }, secret)
  for (const type of [jwt, reference] as const)
    await flow.addClient({ ...testMachine, client_id: `machine-${type}`, access_token_type: type }, secret)
})
after(() => flow.close())

const rows: ReadonlyArray<readonly [name: string, read: number, write: number, operation: Operation]> = [
  ['client credentials, JWT', 0, 0, async () => () => askingForItself(jwt)],
  ['client credentials, reference token', 0, 1, async () => () => askingForItself(reference)],
  ['authorize with a live session', 1, 1, () => authorizing({})],
  ['authorize with a remembered consent', 1, 1, () => authorizing({ client_id: 'consenting' })],
  ['authorize with the login_hint of the signed-in user', 1, 1, () => authorizing({ login_hint: 'alice' })],
  ['authorize without a session', 1, 1, async () => () => begin()],
  ['sign-in page', 1, 0, () => opening(null)],
  ['sign-in page with a session', 2, 0, () => opening('alice')],
  // One of the reads finds out whether the user has an authenticator app
  ['sign-in', 4, 1, () => signingIn({})],
  ['sign-in that replaces a session', 5, 1, () => signingIn({ hasSession: true })],
  ['sign-in in a known browser', 5, 1, () => signingIn({ isKnown: true })],
  // One more read finds out whether the user was asked for an address within a month
  ['sign-in of a user without a verified address', 5, 1, () => signingIn({ sendsMail: true })],
  ['sign-in with a passkey', 3, 3, () => signingInWithPasskey()],
  ['consent page', 2, 0, () => consenting(false)],
  ['answer of the consent page', 2, 1, () => consenting(true)],
  ['choice of an account', 2, 1, () => choosing()],
  ['resume after a sign-in', 2, 2, () => resuming({})],
  ['resume after the consent', 2, 2, () => resuming({ client_id: 'consenting' })],
  // A sign-out needs a transaction, because the listeners to the end of a session need its clients
  ['sign-out', 1, 5, () => signingOut()],
  ['code exchange, JWT', 1, 1, () => exchanging(jwt)],
  ['code exchange, reference token', 1, 1, () => exchanging(reference)],
  ['refresh with rotation, JWT', 1, 1, () => refreshingFor(jwt)],
  ['refresh with rotation, reference token', 1, 1, () => refreshingFor(reference)],
  ['refresh with a reusable token whose end does not move', 1, 0, () => refreshingFor(reusable)],
  ['introspection of a JWT', 1, 0, () => introspecting(jwt)],
  ['introspection of a reference token', 1, 0, () => introspecting(reference)],
  ['introspection of a refresh token', 1, 0, () => introspecting(jwt, 'refresh')],
  ['userinfo with a JWT', 1, 0, () => readingUserinfo(jwt)],
  ['userinfo with a reference token', 1, 0, () => readingUserinfo(reference)],
  ['accesstokenvalidation of a JWT', 1, 0, () => validating(jwt)],
  ['accesstokenvalidation of a reference token', 1, 0, () => validating(reference)],
]

for (const [name, read, write, operation] of rows) {
  test(`${name}: reads ${read}, writes ${write}`, async () => {
    // The first run fills the caches and marks the last uses
    await (await operation())()
    const send = await operation()
    await flow.ports.usage.flush()
    assert.deepEqual(await countStatements(send), { read, write })
  })
}

/** Requests a token of the client for itself. */
async function askingForItself(type: typeof jwt | typeof reference) {
  return issued(await flow.ask({ grant_type: 'client_credentials', scope: 'api' }, `machine-${type}`))
}

async function authorizing(changes: Readonly<Record<string, string>>) {
  const { ports } = flow
  const asked = { ...validParameters, ...changes }
  const clientId = clientIdSchema.parse(asked.client_id)
  const handle = ports.random.handle('session')
  const { subject } = await flow.openSession('alice', { digest: ports.hashing.digest(handle) })
  const times = { createdAt: ports.clock.now(), updatedAt: ports.clock.now(), expiresAt: null }
  const scopes = asked.scope.split(' ').map(name => scopeNameSchema.parse(name))
  await ports.consents.store({ subject, clientId, scopes, ...times })
  const browser = ports.random.handle('browser')
  return async () => {
    const user = await readCurrentSession(ports, handle, clientId)
    assert.ok(user)
    const outcome = await authorize(ports, { parameters: parametersFrom(asked), ...user, browser }, context)
    assert.ok(outcome.kind === 'respond')
    assert.equal(outcome.fields[0]?.[0], 'code')
  }
}

/** Sends a request without a session, which becomes pending. */
async function begin(changes: Readonly<Record<string, string>> = {}) {
  const browser = flow.ports.random.handle('browser')
  const parameters = parametersFrom({ ...validParameters, ...changes })
  const outcome = await authorize(flow.ports, { parameters, session: null, browser }, context)
  assert.ok(outcome.kind === 'interact')
  return { pending: outcome.pending, browser, session: null }
}

async function openedSession() {
  const handle = flow.ports.random.handle('session')
  await flow.openSession('alice', { digest: flow.ports.hashing.digest(handle) })
  return handle
}

async function opening(user: 'alice' | null) {
  const session = user && (await openedSession())
  const sessions = session === null ? [] : [session]
  const carried = { ...(await begin({ prompt: 'login' })), session, sessions }
  return async () => {
    const { interaction, ...user } = await readInteraction(flow.ports, carried)
    assert.ok(interaction)
    assert.equal(await isSignedInFor(flow.ports, interaction, user), session !== null)
  }
}

let knownBrowser: string | null = null

async function signingIn({ hasSession = false, isKnown = false, sendsMail = false }) {
  const previous = hasSession ? [await openedSession()] : []
  const input = { ...(await begin()), previous, knownBrowser: isKnown ? knownBrowser : null }
  const entered = { username: 'alice', password: 'alice opens doors', remember: false }
  return async () => {
    const mail = { kind: 'smtp', host: 'mail.example', port: 587, from: 'id@mail.example' } as const
    const ports = sendsMail ? { ...flow.ports, mail } : flow.ports
    const outcome = await signIn(ports, { ...input, ...entered }, context)
    assert.ok(outcome.kind === 'signed_in')
    knownBrowser = outcome.knownBrowser
  }
}

async function signingInWithPasskey() {
  const input = { ...(await begin()), previous: [], knownBrowser: null, remember: false }
  const { ports } = flow
  const subject = subjectIdSchema.parse('alice')
  const { authenticator } = await addPasskey(ports, { subject, browser: input.browser })
  const begun = signInOptions(ports, input.browser)
  assert.ok(begun)
  const sent = { ceremony: begun.ceremony, response: authenticator.get(begun.options) }
  return async () => {
    const outcome = await signInWithPasskey(ports, { ...input, ...sent }, context)
    assert.ok(outcome.kind === 'signed_in')
  }
}

async function consenting(isAnswered: boolean) {
  const session = await openedSession()
  const carried = { ...(await begin({ client_id: 'consenting' })), session, sessions: [session] }
  return async () => {
    const asked = await readInteraction(flow.ports, carried)
    const { session, account, interaction } = asked
    assert.ok(session !== null && interaction !== null)
    if (isAnswered) {
      const answer = { decision: 'allow', scopes: ['profile'], remember: true } as const
      const given = { ...asked, ...answer, shownSessionId: session.sessionId }
      assert.equal(await answerConsent(flow.ports, given, context), 'recorded')
      return
    }
    assert.ok(await consentView(flow.ports, asked))
    assert.equal((await accountNames(flow.ports, session, account)).username, 'alice')
  }
}

async function choosing() {
  const carried = { ...(await begin()), session: await openedSession() }
  return async () => {
    const session = await currentSession(flow.ports, carried.session)
    assert.equal(await chooseAccount(flow.ports, { ...carried, session }), 'resume')
  }
}

async function resuming(changes: Readonly<Record<string, string>>) {
  const session = await openedSession()
  const carried = { ...(await begin(changes)), session, sessions: [session] }
  return async () => {
    const found = await readPendingRequest(flow.ports, carried)
    const outcome = await resume(flow.ports, { ...carried, ...found }, context)
    assert.equal(outcome.kind, 'respond')
  }
}

async function signingOut() {
  const handle = await openedSession()
  return async () => signOut(flow.ports, await currentSession(flow.ports, handle), context)
}

async function exchanging(clientId: string) {
  const code = await flow.issueCode({ client: await registered(clientId) })
  return async () => issued(await flow.ask(redemption(code), clientId))
}

async function refreshingFor(clientId: string) {
  const { refresh } = await tokensOf(clientId)
  return async () => issued(await flow.ask(refreshing(refresh), clientId))
}

async function introspecting(clientId: string, kind: 'access' | 'refresh' = 'access') {
  const { [kind]: token } = await tokensOf(clientId)
  const parameters = parametersFrom({ client_id: clientId, client_secret: secret, token })
  return async () => {
    const outcome = await introspect(flow.ports, { parameters, authorization: null }, context)
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.response.active, true)
  }
}

async function readingUserinfo(clientId: string) {
  const { access } = await tokensOf(clientId)
  const request = { authorization: `Bearer ${access}`, bodyToken: null }
  return async () => assert.equal((await userinfo(flow.ports, request, context)).kind, 'claims')
}

async function validating(clientId: string) {
  const { access } = await tokensOf(clientId)
  const request = { parameters: parametersFrom({ token: access }) }
  return async () => assert.equal((await validateAccessToken(flow.ports, request, context)).kind, 'valid')
}

async function tokensOf(clientId: string) {
  return flow.tokens({ client: await registered(clientId) })
}

async function registered(clientId: string) {
  const found = await flow.ports.clients.find(clientIdSchema.parse(clientId))
  assert.ok(found)
  return found.client
}
