import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../test-ports.ts'
import { authorize } from './authorize.ts'
import { resume } from './resume.ts'
import { validParameters } from './test-input.ts'

const { limit, windowSeconds } = rateLimits.pendingRequestsPerAddress

let t: TestPorts
const from: RequestContext = { ...context, address: '203.0.113.1' }

/** Users who complete the sign-in are not counted, however many share an address. */
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addUser('alice')
  for (let count = 0; count < 3; count += 1) await signInAndGoOn()
  const begun = await Promise.all(Array.from({ length: limit }, () => begin()))
  assert.ok(begun.every(({ outcome }) => outcome.kind === 'interact'))
})
after(() => t.close())

/** Without cookies: every request seems to come from a different browser. */
async function begin(parameters: Record<string, string> = {}, session = null, where = from) {
  const browser = t.ports.random.handle('browser')
  const input = { parameters: parametersFrom({ ...validParameters, ...parameters }), session, browser }
  return { browser, outcome: await authorize(t.ports, input, where) }
}

const isLimited = (error: unknown) =>
  isOauthError(error) && error.code === 'too_many_requests' && error.retryAfterSeconds === windowSeconds

async function signInAndGoOn(): Promise<void> {
  const { browser, outcome } = await begin()
  assert.ok(outcome.kind === 'interact')
  const session = await t.openSession('alice')
  const answer = await resume(t.ports, { pending: outcome.pending, browser, session }, from)
  assert.ok(answer.kind === 'respond' && answer.grantId !== undefined)
}

test('LIM-06 requests that do not become pending are not counted: refusals, prompt=none, and signed-in users', async () => {
  assert.equal((await begin({ scope: 'openid gone' })).outcome.kind, 'respond')
  assert.equal((await begin({ prompt: 'none' })).outcome.kind, 'respond')
  assert.equal((await begin({ client_id: 'unregistered' })).outcome.kind, 'error_page')
  const session = await t.openSession('alice')
  const input = {
    parameters: parametersFrom(validParameters),
    session,
    browser: t.ports.random.handle('browser'),
  }
  assert.equal((await authorize(t.ports, input, from)).kind, 'respond')
})

test('LIM-06 what one address has waiting is bounded, whatever browsers it names', async () => {
  await assert.rejects(begin(), isLimited)
  const elsewhere = { ...context, address: '198.51.100.7' }
  assert.equal((await begin({}, null, elsewhere)).outcome.kind, 'interact')
  assert.equal((await begin({}, null, { ...context, address: null })).outcome.kind, 'interact')
  t.advance(windowSeconds)
  assert.equal((await begin()).outcome.kind, 'interact')
})
