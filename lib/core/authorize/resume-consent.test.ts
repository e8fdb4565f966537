import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Session } from '#lib/ports/sessions.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { answerConsent, type ConsentAnswerInput } from '../consent/consent.ts'
import { context, issuer, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { beginWaiting, fieldsOf, proceedWaiting, summary, type Waiting } from '../testing/waiting-requests.ts'
import { findInteraction } from './pending.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({ client_id: 'consenting', require_consent: true })
  await t.addUser('alice')
  await t.addUser('bob')
})
after(() => t.close())

const begin = (parameters: Record<string, string>, session: Session | null = null) =>
  beginWaiting(t, parameters, session)
const proceed = (waiting: Waiting, session: Session | null) => proceedWaiting(t, waiting, session)

async function answerTo(
  { pending, browser }: Waiting,
  answer: Omit<ConsentAnswerInput, 'interaction' | 'shownSessionId'>,
) {
  const shownSessionId = answer.session?.sessionId ?? null
  const interaction = await findInteraction(t.ports, pending, browser)
  return answerConsent(t.ports, { interaction, shownSessionId, ...answer }, context)
}

const consenting = { client_id: 'consenting', scope: 'openid profile api' }

test('CN-05 required scopes are granted, unticked ones are not, others never', async () => {
  const session = await t.openSession('alice')
  const waiting = await begin(consenting, session)
  assert.equal(waiting.at, 'consent')
  const answer = {
    session,
    decision: 'allow',
    scopes: ['api', 'api.write', 'nonsense'],
    remember: false,
  } as const
  assert.equal(await answerTo(waiting, answer), 'recorded')
  const { code } = fieldsOf(await proceed(waiting, session))
  const stored = await t.ports.codes.find(t.ports.hashing.digest(code ?? ''))
  assert.ok(stored)
  assert.deepEqual((await t.ports.grants.find(stored.grantId))?.scopes, ['openid', 'api'])
})

test('CN-06 a denial is answered with access_denied, finishes the request and leaves no grant', async () => {
  await t.addUser('dora')
  const session = await t.openSession('dora')
  const waiting = await begin(consenting, session)
  const answer = { session, decision: 'deny', scopes: ['api'], remember: true } as const
  assert.equal(await answerTo(waiting, answer), 'recorded')
  const fields = fieldsOf(await proceed(waiting, session))
  assert.deepEqual([fields.error, fields.state, fields.iss], ['access_denied', 'st', issuer])
  assert.equal(summary(await proceed(waiting, session)), 'show request_finished')
  const now = t.ports.clock.now()
  assert.deepEqual(await t.ports.grants.liveOf(session.subject, now), [])
  assert.deepEqual(await t.ports.consents.allOf(session.subject, now), [])
})

test('CN-01 the consent answer of one user does not count for another', async () => {
  const session = await t.openSession('alice')
  const waiting = await begin({ ...consenting, prompt: 'consent' }, session)
  await answerTo(waiting, { session, decision: 'allow', scopes: ['api'], remember: false })
  assert.equal(summary(await proceed(waiting, await t.openSession('bob'))), 'pause consent')
})

test('CN-01 a consent answer does not count in another session of the same user', async () => {
  const session = await t.openSession('alice')
  const waiting = await begin({ ...consenting, prompt: 'consent' }, session)
  await answerTo(waiting, { session, decision: 'allow', scopes: ['api'], remember: false })
  assert.equal(summary(await proceed(waiting, await t.openSession('alice'))), 'pause consent')
  assert.equal(summary(await proceed(waiting, session)), 'code state iss')
})

test('CN-07 a remembered answer counts only until the user removes the consent', async () => {
  await t.addUser('erin')
  const session = await t.openSession('erin')
  const waiting = await begin(consenting, session)
  await answerTo(waiting, { session, decision: 'allow', scopes: ['api'], remember: true })
  await t.ports.consents.remove(session.subject, clientIdSchema.parse(consenting.client_id))
  assert.equal(summary(await proceed(waiting, session)), 'pause consent')
})

test('CN-01 an answer from another browser, or for an answered request, counts for nothing', async () => {
  const session = await t.openSession('alice')
  const waiting = await begin(consenting, session)
  const answer = { session, decision: 'allow', scopes: ['api'], remember: false } as const
  const foreign = { ...waiting, browser: t.ports.random.handle('browser') }
  assert.equal(await answerTo(foreign, answer), 'expired')
  assert.equal(await answerTo(waiting, answer), 'recorded')
  await proceed(waiting, session)
  assert.equal(await answerTo(waiting, answer), 'expired')
})

test('a request that is answered twice at the same moment leads the second answer to a page with the way to the app', async () => {
  const session = await t.openSession('alice')
  const waiting = await begin({ client_id: 'consenting' }, session)
  await answerTo(waiting, { session, decision: 'allow', scopes: ['openid'], remember: false })
  const outcomes = await Promise.all([proceed(waiting, session), proceed(waiting, session)])
  const page = outcomes.find(outcome => outcome.kind === 'error_page')
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['error_page', 'respond'])
  assert.ok(page?.kind === 'error_page' && page.error.continuation?.isSignedIn === true)
})
