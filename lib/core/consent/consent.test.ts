import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Session } from '#lib/ports/sessions.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { authorize } from '../authorize/authorize.ts'
import { findInteraction } from '../authorize/pending.ts'
import { resume } from '../authorize/resume.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { answerConsent, type ConsentView, consentView } from './consent.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addUser('alice')
})
after(() => t.close())

let made = 0

/** Registers a client that requires consent, and signs in a user without consents. */
async function meet(changes: Partial<ClientMetadata> = {}) {
  made += 1
  const client = await t.addClient({
    client_id: clientIdSchema.parse(`app-${made}`),
    require_consent: true,
    ...changes,
  })
  await t.addUser(`user-${made}`)
  return { client, session: await t.openSession(`user-${made}`) }
}

type Meeting = Awaited<ReturnType<typeof meet>>

/** Sends a request with these scopes. Returns the pending request, or `null` when the user was not asked. */
async function visit({ client, session }: Meeting, scope: string, parameters: Record<string, string> = {}) {
  const browser = t.ports.random.handle('browser')
  const redirect_uri = client.redirectUris[0] ?? ''
  const asked = { ...validParameters, client_id: client.clientId, redirect_uri, scope, ...parameters }
  const outcome = await authorize(t.ports, { parameters: parametersFrom(asked), session, browser }, context)
  if (outcome.kind === 'respond') return null
  assert.deepEqual([outcome.kind, outcome.kind === 'interact' && outcome.at], ['interact', 'consent'])
  return outcome.kind === 'interact' ? { pending: outcome.pending, browser } : null
}

type Waiting = NonNullable<Awaited<ReturnType<typeof visit>>>

const interactionOf = ({ pending, browser }: Waiting) => findInteraction(t.ports, pending, browser)

async function view(waiting: Waiting | null, session: Session | null): Promise<ConsentView> {
  assert.ok(waiting)
  const shown = await consentView(t.ports, { interaction: await interactionOf(waiting), session })
  assert.ok(shown)
  return shown
}

async function allow(
  waiting: Waiting | null,
  session: Session | null,
  choice: { scopes?: string[]; remember?: boolean } = {},
) {
  assert.ok(waiting)
  const { scopes = ['profile', 'api', 'offline_access'], remember = true } = choice
  const shownSessionId = session?.sessionId ?? null
  const answer = { shownSessionId, decision: 'allow', scopes, remember } as const
  return answerConsent(t.ports, { interaction: await interactionOf(waiting), session, ...answer }, context)
}

test('CN-04 the consent page names app, user, destination and each permission', async () => {
  const meeting = await meet({ client_name: 'Photo Printer', consent_lifetime: 86_400 })
  const shown = await view(
    await visit(meeting, 'api.write openid api offline_access profile'),
    meeting.session,
  )
  assert.deepEqual([shown.client.clientName, shown.subjectName], ['Photo Printer', meeting.session.name])
  assert.deepEqual([shown.returnHost, shown.isLocal, shown.canProveIdentity], ['app.example', false, true])
  assert.deepEqual([shown.allowRemember, shown.consentLifetimeSeconds], [true, 86_400])
  assert.deepEqual(
    shown.identityScopes.map(({ name, required }) => [name, required]),
    [
      ['openid', true],
      ['profile', false],
    ],
  )
  assert.deepEqual(
    shown.resourceScopes.map(({ name, emphasize }) => [name, emphasize]),
    [
      ['api', false],
      ['api.write', true],
    ],
  )
  assert.deepEqual([shown.offline?.name, shown.offline?.emphasize], ['offline_access', false])
})

test('CN-03 CN-04 only a public app whose redirect URI other apps could receive cannot prove its identity', async () => {
  const isPublic = { token_endpoint_auth_method: 'none', pkce: 'required' } as const
  const rows = [
    [{}, 'com.example.app:/callback', 'com.example.app', false, true],
    [{}, 'com.example.app://bank.example/callback', 'com.example.app', false, true],
    [{}, 'http://127.0.0.1:7000/callback', '127.0.0.1:7000', true, true],
    [isPublic, 'https://app.example/callback', 'app.example', false, true],
    [isPublic, 'com.example.app:/callback', 'com.example.app', false, false],
    [isPublic, 'http://127.0.0.1:7000/callback', '127.0.0.1:7000', true, false],
  ] as const
  for (const [kind, uri, host, isLocal, canProveIdentity] of rows) {
    const meeting = await meet({ ...kind, application_type: 'native', redirect_uris: [uri] })
    const waiting = await visit(meeting, 'openid', { code_challenge: 'a'.repeat(43) })
    const shown = await view(waiting, meeting.session)
    assert.deepEqual(
      [shown.returnHost, shown.isLocal, shown.canProveIdentity],
      [host, isLocal, canProveIdentity],
    )
  }
})

test('the consent page is shown only to the browser of the request, with a session', async () => {
  const meeting = await meet()
  const waiting = await visit(meeting, 'openid')
  assert.ok(waiting)
  const browser = t.ports.random.handle('browser')
  assert.equal(await interactionOf({ ...waiting, browser }), null)
  const { session } = meeting
  assert.equal(await consentView(t.ports, { interaction: null, session }), null)
  assert.equal(await consentView(t.ports, { interaction: await interactionOf(waiting), session: null }), null)
})

test('CN-02 remembered consent is not asked for again, and a new scope is marked', async () => {
  const meeting = await meet()
  const first = await visit(meeting, 'openid profile')
  const isNew = (shown: ConsentView) =>
    [...shown.identityScopes, ...shown.resourceScopes].map(scope => scope.isNew)
  assert.deepEqual(isNew(await view(first, meeting.session)), [false, false])
  assert.equal(await allow(first, meeting.session), 'recorded')
  assert.equal(await visit(meeting, 'profile openid'), null)
  assert.equal(await visit(meeting, 'openid'), null)
  const wider = await visit(meeting, 'openid profile api')
  assert.deepEqual(isNew(await view(wider, meeting.session)), [false, false, true])
})

test('a remembered offline_access is not asked for again', async () => {
  const meeting = await meet()
  await allow(await visit(meeting, 'openid offline_access'), meeting.session)
  assert.equal(await visit(meeting, 'openid offline_access'), null)
})

test('remembered consent keeps scopes that this request does not contain, and loses unticked ones', async () => {
  const meeting = await meet()
  await allow(await visit(meeting, 'openid profile'), meeting.session)
  await allow(await visit(meeting, 'openid api api.write'), meeting.session, { scopes: ['api'] })
  assert.equal(await visit(meeting, 'openid profile api'), null)
  assert.ok(await visit(meeting, 'openid api.write'))
  await allow(await visit(meeting, 'openid profile', { prompt: 'consent' }), meeting.session, { scopes: [] })
  assert.ok(await visit(meeting, 'openid profile'))
})

test('an answer that is not remembered deletes the remembered consent', async () => {
  const meeting = await meet()
  await allow(await visit(meeting, 'openid profile'), meeting.session)
  const again = await visit(meeting, 'openid profile', { prompt: 'consent' })
  await allow(again, meeting.session, { remember: false })
  assert.ok(await visit(meeting, 'openid profile'))
})

test('remembered consent ends with the client’s consent lifetime', async () => {
  const meeting = await meet({ consent_lifetime: 600 })
  await allow(await visit(meeting, 'openid'), meeting.session)
  t.advance(599)
  assert.equal(await visit(meeting, 'openid'), null)
  t.advance(2)
  assert.ok(await visit(meeting, 'openid'))
})

test('CN-02 consent to one scope does not extend that of another', async () => {
  const meeting = await meet({ consent_lifetime: 600 })
  await allow(await visit(meeting, 'openid profile'), meeting.session)
  t.advance(500)
  await allow(await visit(meeting, 'openid api'), meeting.session)
  t.advance(99)
  assert.equal(await visit(meeting, 'openid profile api'), null)
  t.advance(2)
  assert.ok(await visit(meeting, 'openid profile'))
})

test('CN-02 consent to all scopes again starts a new lifetime', async () => {
  const meeting = await meet({ consent_lifetime: 600 })
  await allow(await visit(meeting, 'openid profile'), meeting.session)
  t.advance(500)
  await allow(await visit(meeting, 'openid profile', { prompt: 'consent' }), meeting.session)
  t.advance(599)
  assert.equal(await visit(meeting, 'openid profile'), null)
})

test('CN-02 remembered scopes of several answers expire together, with the first', async () => {
  const meeting = await meet()
  const client_id = meeting.client.clientId
  await allow(await visit(meeting, 'openid profile'), meeting.session)
  await t.addClient({ client_id, require_consent: true, consent_lifetime: 600 })
  await allow(await visit(meeting, 'openid api'), meeting.session)
  await t.addClient({ client_id, require_consent: true })
  await allow(await visit(meeting, 'openid api.write'), meeting.session, { scopes: ['api.write'] })
  t.advance(599)
  assert.equal(await visit(meeting, 'openid profile api'), null)
  t.advance(2)
  assert.ok(await visit(meeting, 'openid profile'))
})

test('CN-03 consent is asked every time for a public app whose redirect URI other apps could receive', async () => {
  const app = { token_endpoint_auth_method: 'none', pkce: 'required', application_type: 'native' } as const
  const pkce = { code_challenge: 'a'.repeat(43) }
  const scheme = await meet({ ...app, redirect_uris: ['com.example.app:/cb'] })
  const first = await visit(scheme, 'openid', pkce)
  assert.equal((await view(first, scheme.session)).allowRemember, false)
  await allow(first, scheme.session)
  assert.ok(await visit(scheme, 'openid', pkce))
  const claimed = await meet(app)
  await allow(await visit(claimed, 'openid', pkce), claimed.session)
  assert.equal(await visit(claimed, 'openid', pkce), null)
})

test('consent is asked every time for a client that does not allow remembered consent', async () => {
  const meeting = await meet({ allow_remember_consent: false })
  await allow(await visit(meeting, 'openid'), meeting.session)
  assert.ok(await visit(meeting, 'openid'))
})

test('an answer with no scope other than offline_access asks again', async () => {
  const meeting = await meet()
  const waiting = await visit(meeting, 'api offline_access')
  assert.equal(await allow(waiting, meeting.session, { scopes: [] }), 'nothing_selected')
  assert.equal(await allow(waiting, meeting.session, { scopes: ['offline_access'] }), 'nothing_selected')
  assert.ok(waiting)
  const outcome = await resume(t.ports, { ...waiting, session: meeting.session }, context)
  assert.deepEqual([outcome.kind, outcome.kind === 'interact' && outcome.at], ['interact', 'consent'])
  assert.equal(await allow(waiting, meeting.session, { scopes: ['api'] }), 'recorded')
})

test('an answer after the session ended leads back to the sign-in', async () => {
  const meeting = await meet()
  const waiting = await visit(meeting, 'openid')
  assert.equal(await allow(waiting, null), 'signed_out')
  assert.ok(waiting)
  const outcome = await resume(t.ports, { ...waiting, session: null }, context)
  assert.deepEqual([outcome.kind, outcome.kind === 'interact' && outcome.at], ['interact', 'login'])
})

test('V-52 an answer counts only in the session whose user the page named', async () => {
  const meeting = await meet()
  const waiting = await visit(meeting, 'openid profile')
  const shown = await view(waiting, meeting.session)
  await t.addUser('dave')
  const dave = await t.openSession('dave')
  assert.ok(waiting)
  const interaction = await interactionOf(waiting)
  for (const decision of ['allow', 'deny'] as const) {
    for (const shownSessionId of [shown.sessionId, null]) {
      const answer = { shownSessionId, decision, scopes: ['openid', 'profile'], remember: true }
      const result = await answerConsent(t.ports, { interaction, session: dave, ...answer }, context)
      assert.equal(result, 'shown_to_another')
    }
  }
  const next = await resume(t.ports, { ...waiting, session: dave }, context)
  assert.deepEqual([next.kind, next.kind === 'interact' && next.at], ['interact', 'consent'])
  assert.deepEqual(await t.ports.consents.allOf(dave.subject, t.ports.clock.now()), [])
})
