/** Tests that `preAuthenticate` redirects an unknown user to a page. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Hooks, PreAuthenticateRequest, PreAuthentication } from '#lib/ports/extensions.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { completePartialSignIn } from './partial-sign-in.ts'
import { preAuthenticate, returnToPreAuthenticate } from './pre-authenticate.ts'
import { currentSession } from './session.ts'
import { signIn } from './sign-in.ts'
import { form, openTestSignIn, type TestSignIn } from './testing/sign-in.ts'

const hooks: { -readonly [Name in keyof Hooks]: Hooks[Name] } = {}
const page = '/register?ticket=7'
const alice = {
  kind: 'signed_in',
  subject: subjectIdSchema.parse('alice'),
  name: 'Alice Ames',
  amr: ['own'],
} as const

let setup: TestSignIn
let seen: PreAuthenticateRequest[]
let later: PreAuthentication
before(async () => {
  setup = await openTestSignIn({ hooks })
  await setup.addClient()
})
after(() => setup.close())
beforeEach(() => {
  seen = []
  later = alice
  hooks.preAuthenticate = async request => {
    seen.push(request)
    return request.returnedFrom === null ? { kind: 'partial', path: page } : later
  }
})

const carried = (remote: string) => ({ headers: { 'x-remote': remote }, cookies: {}, previous: [] })

async function begin() {
  const { ports, browser } = setup
  const redirect = 'https://app.example/callback'
  const asked = { client_id: 'web', redirect_uri: redirect, response_type: 'code', scope: 'openid' }
  const outcome = await authorize(
    ports,
    { parameters: parametersFrom(asked), session: null, browser },
    context,
  )
  const hooked = await preAuthenticate(ports, { ...carried('first'), outcome, browser }, context)
  assert.ok(hooked?.kind === 'finished' && hooked.outcome.kind === 'partial')
  assert.equal(hooked.outcome.path, page)
  return { ...hooked.outcome, pending: hooked.pending }
}

type Interrupted = Pick<Awaited<ReturnType<typeof begin>>, 'partial'>
const comeBack = ({ partial }: Interrupted, browser = setup.browser) =>
  returnToPreAuthenticate(setup.ports, { ...carried('second'), partial, browser }, context)

test('an unknown user is sent to a page without a session; at the return the hook is called again and signs the user in', async () => {
  const interrupted = await begin()
  const { name, reason, subject } = setup.events.at(-1) ?? {}
  assert.deepEqual([name, reason, subject], ['sign_in_partial', 'pre_authenticate_partial', undefined])
  const back = await comeBack(interrupted)
  assert.ok(back?.kind === 'finished' && back.outcome.kind === 'signed_in')
  assert.equal(back.pending, interrupted.pending)
  assert.deepEqual(
    seen.map(({ returnedFrom, headers }) => [returnedFrom, headers['x-remote']]),
    [
      [null, 'first'],
      [page, 'second'],
    ],
  )
  const session = await currentSession(setup.ports, back.outcome.session)
  assert.deepEqual([session?.subject, session?.amr], ['alice', ['own']])
  const next = await resume(setup.ports, { pending: back.pending, browser: setup.browser, session }, context)
  assert.equal(next.kind, 'respond')
})

test('at the return the hook can let the sign-in page follow, interrupt again, or refuse the request', async () => {
  later = { kind: 'continue' }
  const interrupted = await begin()
  assert.deepEqual(await comeBack(interrupted), { kind: 'continued', pending: interrupted.pending })
  later = { kind: 'partial', path: '/register?ticket=8' }
  const again = await comeBack(await begin())
  assert.ok(again?.kind === 'finished' && again.outcome.kind === 'partial')
  later = { kind: 'refused', message: 'Closed.' }
  const refused = await comeBack(again.outcome)
  assert.ok(refused?.kind === 'refused' && refused.message === 'Closed.')
  assert.equal(seen.at(-1)?.returnedFrom, '/register?ticket=8')
  assert.equal(await findInteraction(setup.ports, again.pending, setup.browser), null)
})

test('of several concurrent returns one calls the hook; a late one, and one in another browser, do not', async () => {
  const interrupted = await begin()
  assert.equal(await comeBack(interrupted, setup.ports.random.handle('browser')), null)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => comeBack(interrupted)))
  assert.equal(outcomes.filter(outcome => outcome !== null).length, 1)
  const late = await begin()
  setup.advance(lifetimeSeconds.partialSignIn + 1)
  assert.equal(await comeBack(late), null)
  assert.equal(seen.filter(({ returnedFrom }) => returnedFrom !== null).length, 1)
})

test('the two kinds of interruption are not confused: nothing is proved by the return of an unknown user', async () => {
  const { partial } = await begin()
  const back = { partial, browser: setup.browser, previous: [] }
  assert.equal((await completePartialSignIn(setup.ports, back, context)).kind, 'expired')
  hooks.postAuthenticate = async () => ({ kind: 'partial', path: '/contract' })
  const other = await signIn(setup.ports, form({ browser: setup.browser }), context)
  delete hooks.postAuthenticate
  assert.ok(other.kind === 'partial')
  assert.equal(await comeBack(other), null)
})
