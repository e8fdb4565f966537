import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { answerConsent } from '#lib/core/consent/consent.ts'
import { revoke } from '#lib/core/revocation/revocation.ts'
import { context as plain, withPolicies } from '#lib/core/testing/ports.ts'
import { answerTokenRequest } from '#lib/core/token/token.ts'
import { userinfo } from '#lib/core/userinfo/userinfo.ts'
import { createEventBuffer } from '#lib/events/database-sink.ts'
import { chooseRecoveredPassword } from '#lib/identity/password-recovery/choose-recovered-password.ts'
import { requestRecovery } from '#lib/identity/password-recovery/request-recovery.ts'
import { confirmRegistration } from '#lib/identity/registration/confirm-registration.ts'
import { requestRegistration } from '#lib/identity/registration/request-registration.ts'
import { registrationForm } from '#lib/identity/registration/testing/registrations.ts'
import { currentSession } from '#lib/identity/session.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import { newMails } from '#lib/identity/testing/mails.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminTestPorts, openAdminTestPorts } from '../testing/admin-ports.ts'
import { readRequestTrace } from './request-trace.ts'

const secret = 'a long client secret'
const password = 'alice opens doors'
const redirectUri = 'https://app.example/callback'

let opened: AdminTestPorts
let ports: AdminPorts
before(async () => {
  opened = await openAdminTestPorts()
  await opened.addClient({ client_id: 'books', client_name: 'Harbour Books', require_consent: true }, secret)
  await opened.addUser('alice', { password, claims: { name: 'Alice' } })
  const buffer = createEventBuffer({ log: opened.ports.eventLog, onFailure: assert.ifError })
  const { clock } = opened.ports
  const record: AdminPorts['events']['record'] = (event, context) =>
    void buffer.record({ ...event, time: clock.now(), elapsedMs: null, context })
  ports = { ...opened.ports, events: { record }, flushEvents: buffer.flush }
})
after(() => opened.close())

/** A context with this request ID. Each request of the sign-in has a separate one. */
const under = (requestId: string) => ({ ...plain, requestId })

async function wholeSignIn(): Promise<void> {
  const browser = ports.random.handle('browser')
  const scope = 'openid profile offline_access'
  const asked = { client_id: 'books', redirect_uri: redirectUri, response_type: 'code', scope }
  const paused = await authorize(
    ports,
    { parameters: parametersFrom(asked), session: null, browser },
    under('AUTH-0001'),
  )
  assert.ok(paused.kind === 'interact')
  const { pending } = paused
  const interaction = await findInteraction(ports, pending, browser)
  const tried = {
    username: 'alice',
    remember: false,
    pending,
    interaction,
    browser,
    previous: [],
    knownBrowser: null,
  }
  await signIn(ports, { ...tried, password: 'wrong' }, under('SIGN-0002'))
  const signedIn = await signIn(ports, { ...tried, password }, under('SIGN-0003'))
  assert.ok(signedIn.kind === 'signed_in')
  const session = await currentSession(ports, signedIn.session)
  await resume(ports, { pending, browser, session }, under('AUTH-0004'))
  const shownSessionId = session?.sessionId ?? null
  const answer = { shownSessionId, decision: 'allow', scopes: scope.split(' '), remember: false } as const
  await answerConsent(ports, { interaction, session, ...answer }, under('CONS-0005'))
  const answered = await resume(ports, { pending, browser, session }, under('AUTH-0006'))
  assert.ok(answered.kind === 'respond')
  await spendCode(String(Object.fromEntries(answered.fields).code))
}

async function spendCode(code: string): Promise<void> {
  const credentials = { client_id: 'books', client_secret: secret }
  const ask = (parameters: Record<string, string>, requestId: string) =>
    answerTokenRequest(
      ports,
      { parameters: parametersFrom({ ...credentials, ...parameters }), authorization: null },
      under(requestId),
    )
  const redeemed = await ask(
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    'TOKE-0007',
  )
  assert.ok(redeemed.kind === 'issued')
  const { access_token: accessToken, refresh_token: refreshToken } = redeemed.response
  const authorization = `Bearer ${accessToken}`
  await userinfo(ports, { authorization, bodyToken: null }, under('USER-0008'))
  const refreshed = await ask(
    { grant_type: 'refresh_token', refresh_token: String(refreshToken) },
    'REFR-0009',
  )
  assert.ok(refreshed.kind === 'issued')
  const parameters = { ...credentials, token: String(refreshed.response.refresh_token) }
  await revoke(ports, { parameters: parametersFrom(parameters), authorization: null }, under('REVO-0010'))
}

test('all events of a sign-in and its tokens are found by each of their request IDs', async () => {
  await wholeSignIn()
  const expected = [
    'AUTH-0001 authorize_paused',
    'SIGN-0002 sign_in_failed',
    'SIGN-0003 sign_in_succeeded',
    'AUTH-0004 authorize_paused',
    'CONS-0005 consent_granted',
    'AUTH-0006 authorize_answered',
    'TOKE-0007 code_redeemed',
    'TOKE-0007 tokens_issued',
    'USER-0008 userinfo_answered',
    'REFR-0009 tokens_issued',
    'REVO-0010 token_revoked',
  ]
  for (const reference of new Set(expected.map(line => line.slice(0, 9)))) {
    const trace = await readRequestTrace(ports, reference, { role: 'owner' })
    const found = trace?.related.map(({ event }) => `${event.requestId} ${event.name}`)
    assert.deepEqual(found, expected, reference)
  }
})

test('the trace of a wrong password names the user and links to the page of the user', async () => {
  const trace = await readRequestTrace(ports, 'SIGN-0002', { role: 'owner' })
  assert.equal(trace?.sentence, 'A wrong password was entered for Alice.')
  assert.deepEqual(trace?.shownPage, { kind: 'form' })
  assert.equal(trace?.remedy?.href, '/admin/users/alice')
})

test('the trace of a wrong client secret has the client, the failed check and the page of the remedy', async () => {
  const parameters = { client_id: 'books', client_secret: 'wrong', grant_type: 'refresh_token' }
  await answerTokenRequest(
    ports,
    { parameters: parametersFrom(parameters), authorization: null },
    under('WRON-0001'),
  )
  const trace = await readRequestTrace(ports, 'WRON-0001', { role: 'owner' })
  assert.equal(trace?.sentence, 'Harbour Books sent a wrong secret.')
  assert.equal(trace?.failed?.check, 'client_authenticated')
  assert.equal(trace?.remedy?.href, '/admin/clients/books/secrets')
  assert.equal(trace?.main.clientId, 'books')
})

test('the trace of a refused redirect URI has the difference, the shown page and the action that fixes it', async () => {
  const browser = ports.random.handle('browser')
  const sent = `${redirectUri}/`
  const parameters = { client_id: 'books', redirect_uri: sent, response_type: 'code', scope: 'openid' }
  await authorize(
    ports,
    { parameters: parametersFrom(parameters), session: null, browser },
    under('REDI-0001'),
  )
  const trace = await readRequestTrace(ports, 'REDI-0001', { role: 'owner' })
  assert.equal(trace?.sentence, 'Harbour Books sent a redirect URI that isn’t registered.')
  assert.equal(trace?.difference?.sent.changed, '/')
  assert.deepEqual(trace?.shownPage, { kind: 'page', text: 'redirectMismatch' })
  assert.deepEqual(trace?.remedy?.action?.input, { client_id: 'books', redirect_uri: sent })
})

/** Sends the request of an app that waits for a sign-in. */
async function askToSignIn(requestId: string) {
  const browser = ports.random.handle('browser')
  const asked = { client_id: 'books', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' }
  const parameters = parametersFrom(asked)
  const paused = await authorize(ports, { parameters, session: null, browser }, under(requestId))
  assert.ok(paused.kind === 'interact')
  return { pending: paused.pending, browser }
}

/** Returns the link of the new mail. */
async function mailedLink() {
  await opened.settle()
  const links = (await newMails(opened)).flatMap(({ values }) => values.link ?? [])
  return parseHandle('mailLink', links[0])
}

async function traceOf(requestId: string) {
  const trace = await readRequestTrace(ports, requestId, { role: 'owner' })
  return { names: trace?.related.map(({ event }) => event.name), stopped: trace?.stopped ?? '' }
}

test('the trace of a request has the mail for a forgotten password and the new password', async () => {
  const claims = { email: 'bess@example.org', email_verified: true }
  await opened.addUser('bess', { password, claims })
  const { pending, browser } = await askToSignIn('PAUS-0001')
  await requestRecovery(
    ports,
    { typed: 'alice', pending, back: null, locale: 'en', browser },
    under('MAIL-0002'),
  )
  await opened.settle()
  const names = ['authorize_paused', 'password_mail_requested']
  assert.deepEqual((await traceOf('PAUS-0001')).names, names)
  assert.match(
    (await traceOf('MAIL-0002')).stopped,
    /no mail with a link was sent \(the account has no verified/,
  )
  await requestRecovery(
    ports,
    { typed: 'bess', pending, back: null, locale: 'en', browser },
    under('MAIL-0003'),
  )
  const link = await mailedLink()
  assert.match((await traceOf('PAUS-0001')).stopped, /at the choice of a new password by mail/)
  const chosen = 'nine quiet harbors at night'
  const entered = { link, browser, password: chosen, again: chosen, knownBrowser: null }
  assert.equal((await chooseRecoveredPassword(ports, entered, under('NEWP-0004'))).kind, 'changed')
  const trace = await traceOf('NEWP-0004')
  assert.deepEqual(trace.names, [...names, 'password_mail_requested', 'password_changed'])
  assert.match(trace.stopped, /at a sign-in with the new password/)
})

test('the trace of a request has the registration that began with it', async () => {
  const registering = { ...ports, policies: withPolicies({ registration: 'open' }) }
  const { pending, browser } = await askToSignIn('PAUS-0005')
  const form = registrationForm({ browser }, { pending, back: null })
  await requestRegistration(registering, form, under('REGI-0006'))
  const link = await mailedLink()
  assert.match((await traceOf('PAUS-0005')).stopped, /at the confirmation of a registration by mail/)
  const confirmed = {
    link,
    browser,
    previous: [],
    knownBrowser: null,
    canCreatePasskeys: false,
    password: '',
  }
  assert.equal((await confirmRegistration(registering, confirmed, under('CONF-0007'))).kind, 'registered')
  const { names } = await traceOf('PAUS-0005')
  const expected = ['authorize_paused', 'registration_requested', 'user_registered', 'sign_in_succeeded']
  assert.deepEqual(names, expected)
})
