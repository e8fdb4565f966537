import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { context } from '#lib/core/testing/ports.ts'
import { answerTokenRequest } from '#lib/core/token/token.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ProvenSignIn, SignInStep } from '#lib/ports/sign-in-steps.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { completePartialSignIn, findPartialAt, passStep } from './partial-sign-in.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { signInSteps } from './sign-in-steps.ts'
import {
  alicePassword,
  form,
  instantUserService,
  openTestSignIn,
  type TestSignIn,
} from './testing/sign-in.ts'

const secret = 'a secret that is hard to guess'
const alice = subjectIdSchema.parse('alice')

let setup: TestSignIn
before(async () => {
  setup = await openTestSignIn()
  await setup.addUser('temporary', { password: alicePassword, mustChangePassword: true })
  await setup.addClient({ client_id: 'legacy', grant_types: ['password'], response_types: [] }, secret)
})
after(() => setup.close())

const accepting = (subject: SubjectId) =>
  instantUserService(async () => ({ kind: 'full', subject, name: 'Ada', amr: ['pwd', 'otp'], acr: null }))

/** Makes a step with a page of this server. It interrupts all users who are not in `done`. */
function pageStep(seen: ProvenSignIn[] = []): { step: SignInStep<Ports>; done: Set<SubjectId> } {
  const done = new Set<SubjectId>()
  const applies = async (_ports: Ports, { proven }: { proven: ProvenSignIn }) => {
    seen.push(proven)
    return !done.has(proven.subject)
  }
  return { step: { name: 'notice', reason: 'sign_in_partial', path: '/login/notice', applies }, done }
}

const entered = (ports: Ports, username = 'alice') =>
  signIn(ports, form({ username, browser: setup.browser }), context)

test('AU-11 a temporary password must be replaced with every user service, before the page of that service', async () => {
  const subject = subjectIdSchema.parse('temporary')
  const elsewhere = subjectIdSchema.parse('of-another-store')
  for (const userService of [
    accepting(subject),
    instantUserService(async () => ({ kind: 'partial', subject, path: '/terms' })),
  ]) {
    const outcome = await entered({ ...setup.ports, userService }, 'temporary')
    assert.deepEqual([outcome.kind, outcome.kind === 'partial' && outcome.path], ['partial', newPasswordPath])
  }
  const other = await entered({ ...setup.ports, userService: accepting(elsewhere) })
  assert.equal(other.kind, 'signed_in', 'a user of another store has no temporary password here')
})

test('no step loses a factor of an earlier one: the session has all methods, each with its time', async () => {
  const hooks: Ports['hooks'] = {
    postAuthenticate: async ({ returnedFrom }) =>
      returnedFrom === null ? { kind: 'partial', path: '/contract' } : { kind: 'accepted' },
  }
  const { step, done } = pageStep()
  const ports = { ...setup.ports, hooks, userService: accepting(alice), signInSteps: [step, ...signInSteps] }
  const first = ports.clock.now()
  const notice = await entered(ports)
  assert.ok(notice.kind === 'partial')
  setup.advance(60)
  const partial = await findPartialAt(ports, 'notice', { partial: notice.partial, browser: setup.browser })
  assert.ok(partial !== null)
  done.add(alice)
  const added = { methods: ['hwk'], at: ports.clock.now(), credential: { kind: 'extension' } } as const
  const proven = { ...partial.proven, factors: [...partial.proven.factors, added] as const }
  const contract = await passStep(ports, { partial, previous: [], proven }, context)
  assert.ok(contract.kind === 'partial' && contract.path === '/contract')
  setup.advance(60)
  const back = { partial: contract.partial, browser: setup.browser, previous: [] }
  const outcome = await completePartialSignIn(ports, back, context)
  assert.ok(outcome.kind === 'signed_in')
  const session = await currentSession(ports, outcome.session)
  assert.deepEqual(session?.amr, ['pwd', 'otp', 'hwk', 'mfa'])
  assert.deepEqual(session?.details.factors, [
    { methods: ['pwd', 'otp'], kind: 'password', at: first.toISOString() },
    { methods: ['hwk'], kind: 'extension', at: added.at.toISOString() },
  ])
  assert.deepEqual(session?.authenticatedAt, ports.clock.now())
})

test('a page of this server ends its step itself: the return leads back to it with the same handle, and it ends once', async () => {
  const { step, done } = pageStep()
  const ports = { ...setup.ports, signInSteps: [...signInSteps, step] }
  const outcome = await entered(ports)
  assert.ok(outcome.kind === 'partial' && outcome.path === '/login/notice')
  assert.deepEqual(
    [setup.events.at(-1)?.name, setup.events.at(-1)?.reason],
    ['sign_in_partial', 'sign_in_partial'],
  )
  const proof = { partial: outcome.partial, browser: setup.browser }
  const returned = await completePartialSignIn(ports, { ...proof, previous: [] }, context)
  assert.deepEqual(
    [returned.kind, returned.kind === 'partial' && returned.partial],
    ['partial', outcome.partial],
  )
  assert.equal(await findPartialAt(ports, 'another step', proof), null)
  const partial = await findPartialAt(ports, 'notice', proof)
  assert.ok(partial !== null)
  done.add(alice)
  const ended = await Promise.all([0, 1, 2].map(() => passStep(ports, { partial, previous: [] }, context)))
  assert.deepEqual(ended.map(({ kind }) => kind).toSorted(), ['expired', 'expired', 'signed_in'])
})

test('a step that is not done interrupts again when its page ends', async () => {
  const { step } = pageStep()
  const ports = { ...setup.ports, signInSteps: [step, ...signInSteps] }
  const outcome = await entered(ports)
  assert.ok(outcome.kind === 'partial')
  const partial = await findPartialAt(ports, 'notice', { partial: outcome.partial, browser: setup.browser })
  assert.ok(partial !== null)
  assert.equal((await passStep(ports, { partial, previous: [] }, context)).kind, 'partial')
})

test('the password grant, which cannot show a page, is refused by the first step that applies', async () => {
  const { step, done } = pageStep()
  const ports = { ...setup.ports, signInSteps: [step, ...signInSteps] }
  const request = { grant_type: 'password', scope: 'api', client_id: 'legacy', client_secret: secret }
  const asked = (username: string) => {
    const parameters = parametersFrom({ ...request, username, password: alicePassword })
    return answerTokenRequest(ports, { parameters, authorization: null }, context)
  }
  const reasons = () => setup.events.slice(-2).map(({ name, reason }) => [name, reason])
  const refused = await asked('alice')
  assert.ok(refused.kind === 'refused' && refused.refusal.code === 'invalid_grant')
  assert.deepEqual(reasons(), [
    ['sign_in_failed', 'sign_in_partial'],
    ['token_refused', 'sign_in_partial'],
  ])
  done.add(subjectIdSchema.parse('temporary'))
  assert.equal((await asked('temporary')).kind, 'refused')
  assert.deepEqual(reasons(), [
    ['sign_in_failed', 'password_change_required'],
    ['token_refused', 'password_change_required'],
  ])
})

test('a user whom the user service has not accepted gets no session, whatever the list contains', async () => {
  const userService = instantUserService(async () => ({ kind: 'partial', subject: alice, path: '/terms' }))
  await assert.rejects(entered({ ...setup.ports, userService, signInSteps: [] }), /has not accepted/)
})
