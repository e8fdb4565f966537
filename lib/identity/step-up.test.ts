import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Credential, SignInStep } from '#lib/ports/sign-in-steps.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { findPartialAt, type PartialProof, passStep } from './partial-sign-in.ts'
import { readPendingRequest } from './pending-user.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { beginStepUp } from './step-up.ts'
import { alicePassword, form, openTestSignIn, pendingRequest, type TestSignIn } from './testing/sign-in.ts'

/** A step with a page that asks for a code until a `totp` factor is proven. */
const codeStep: SignInStep<Ports> = {
  name: 'test_code',
  reason: null,
  path: '/login/test-code',
  applies: async (_ports, { proven }) =>
    hasCode &&
    proven.raises !== undefined &&
    proven.factors.every(({ credential }) => credential.kind !== 'totp'),
}

let setup: TestSignIn
let ports: Ports
let client: Client
let hasCode: boolean

before(async () => {
  setup = await openTestSignIn()
  ports = { ...setup.ports, signInSteps: [codeStep] }
  client = await setup.addClient({ require_consent: false })
})
after(() => setup.close())
beforeEach(() => {
  hasCode = true
})

async function openSession(remember = false) {
  const outcome = await signIn(ports, form({ browser: setup.browser, remember }), context)
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  return outcome.session
}

async function askForMore(session: Awaited<ReturnType<typeof openSession>>) {
  const waiting = await pendingRequest(setup, client, { acr_values: 'urn:latchkey:mfa' })
  return { ...waiting, session, sessions: [session] }
}

/** Proves a factor at the page of the step. */
async function prove(
  proof: PartialProof,
  session: SessionHandle | null,
  credential: Credential = { kind: 'totp' },
) {
  const partial = await findPartialAt(ports, 'test_code', proof)
  assert.ok(partial)
  const factors = [
    ...partial.proven.factors,
    { methods: ['otp'], at: ports.clock.now(), credential },
  ] as const
  const [first, ...others] = factors
  const proven = { ...partial.proven, factors: [first, ...others] } as const
  return passStep(ports, { partial, previous: session === null ? [] : [session], proven }, context)
}

test('MF-06 a signed-in user proves only the missing factor, and the request gets the requested acr', async () => {
  const session = await openSession(true)
  const earlier = await currentSession(ports, session)
  const waiting = await askForMore(session)
  const asked = await resume(ports, { ...waiting, ...(await readPendingRequest(ports, waiting)) }, context)
  assert.deepEqual([asked.kind, asked.kind === 'interact' && asked.at], ['interact', 'step_up'])
  setup.advance(60)
  const step = await beginStepUp(ports, waiting, context)
  assert.ok(step.kind === 'partial')
  assert.equal(step.path, '/login/test-code')
  const raised = await prove(step, session)
  assert.ok(raised.kind === 'signed_in', JSON.stringify(raised))
  assert.equal(await currentSession(ports, session), null, 'the earlier handle has ended (SE-02)')
  const current = await currentSession(ports, raised.session)
  assert.deepEqual(
    [current?.sessionId, current?.authenticatedAt, current?.expiresAt, current?.amr],
    [earlier?.sessionId, earlier?.authenticatedAt, earlier?.expiresAt, ['pwd', 'otp', 'mfa']],
    'the session keeps its ID, its time of authentication and its end',
  )
  const carried = { ...waiting, session: raised.session, sessions: [raised.session] }
  const answer = await resume(ports, { ...carried, ...(await readPendingRequest(ports, carried)) }, context)
  assert.ok(answer.kind === 'respond' && answer.grantId !== undefined)
  const grant = await ports.grants.find(answer.grantId)
  assert.deepEqual([grant?.acr, grant?.authenticatedAt], ['urn:latchkey:mfa', earlier?.authenticatedAt])
})

test('MF-06 a raised session is not asked again', async () => {
  const session = await openSession()
  const step = await beginStepUp(ports, await askForMore(session), context)
  assert.ok(step.kind === 'partial')
  const raised = await prove(step, session)
  assert.ok(raised.kind === 'signed_in')
  const current = await currentSession(ports, raised.session)
  const parameters = parametersFrom({
    client_id: client.clientId,
    response_type: 'code',
    scope: 'openid api',
    redirect_uri: client.redirectUris[0] ?? '',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    acr_values: 'urn:latchkey:mfa',
    prompt: 'none',
  })
  const answer = await authorize(ports, { parameters, session: current, browser: setup.browser }, context)
  assert.ok(answer.kind === 'respond')
  assert.equal(answer.fields[0]?.[0], 'code')
  assert.equal((await beginStepUp(ports, await askForMore(raised.session), context)).kind, 'resume')
})

test('MF-06 a user whom no step can ask is not sent in a circle', async () => {
  hasCode = false
  const session = await openSession()
  assert.equal((await beginStepUp(ports, await askForMore(session), context)).kind, 'unreachable')
  assert.ok(await currentSession(ports, session), 'the session stays')
})

test('MF-06 SE-06 a session that ended while its user was at the page is not raised', async () => {
  const session = await openSession()
  const step = await beginStepUp(ports, await askForMore(session), context)
  const current = await currentSession(ports, session)
  assert.ok(step.kind === 'partial' && current !== null)
  await ports.sessions.end(current, ports.clock.now())
  assert.equal((await prove(step, session)).kind, 'expired')
})

test('MF-06 SE-06 a step-up does not raise another session of the browser, and needs one', async () => {
  const [first, second] = [await openSession(), await openSession()]
  for (const previous of [second, null]) {
    const step = await beginStepUp(ports, await askForMore(first), context)
    assert.ok(step.kind === 'partial')
    assert.equal((await prove(step, previous)).kind, 'expired')
  }
  assert.deepEqual((await currentSession(ports, first))?.amr, ['pwd'])
})

test('MF-06 S4 a step-up keeps the other accounts of the browser', async () => {
  await setup.addUser('bob', { password: alicePassword })
  const other = await signIn(ports, form({ username: 'bob', browser: setup.browser }), context)
  assert.ok(other.kind === 'signed_in')
  const session = await openSession()
  const step = await beginStepUp(ports, await askForMore(session), context)
  const partial = step.kind === 'partial' ? await findPartialAt(ports, 'test_code', step) : null
  assert.ok(partial)
  const [first] = partial.proven.factors
  const code = { methods: ['otp'], at: ports.clock.now(), credential: { kind: 'totp' } } as const
  const proven = { ...partial.proven, factors: [first, code] } as const
  const raised = await passStep(ports, { partial, previous: [other.session, session], proven }, context)
  assert.ok(raised.kind === 'signed_in')
  assert.deepEqual(raised.others, [{ handle: other.session, isPersistent: false }])
  assert.equal((await currentSession(ports, raised.session))?.subject, 'alice')
})

test('MF-06 of concurrent proofs of one step-up one raises the session', async () => {
  const session = await openSession()
  const step = await beginStepUp(ports, await askForMore(session), context)
  assert.ok(step.kind === 'partial')
  const partial = await findPartialAt(ports, 'test_code', step)
  assert.ok(partial)
  const [first] = partial.proven.factors
  const code = { methods: ['otp'], at: ports.clock.now(), credential: { kind: 'totp' } } as const
  const proven = { ...partial.proven, factors: [first, code] } as const
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => passStep(ports, { partial, previous: [session], proven }, context)),
  )
  assert.equal(outcomes.filter(({ kind }) => kind === 'signed_in').length, 1)
  assert.equal(outcomes.filter(({ kind }) => kind === 'expired').length, 19)
})

test('LG-01 a step-up is a separate event, not a sign-in', async () => {
  const session = await openSession()
  const step = await beginStepUp(ports, await askForMore(session), context)
  assert.ok(step.kind === 'partial')
  await prove(step, session)
  const event = setup.events.at(-1)
  assert.deepEqual([event?.name, event?.details?.method], ['session_stepped_up', 'totp'])
})
