import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rateLimits } from '#lib/config/limits.ts'
import { authorizeChecks } from '#lib/errors/checks.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { type AuthorizeOutcome, authorize } from './authorize.ts'
import { resume } from './resume.ts'

const { limit, windowSeconds } = rateLimits.pendingRequestsPerAddress

let t: TestPorts
const from: RequestContext = { ...context, address: '203.0.113.1' }

/** Completes some sign-ins first, which must not count, and then uses up the limit. */
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addUser('alice')
  for (let count = 0; count < 3; count += 1) await signInAndGoOn()
  const begun = await Promise.all(Array.from({ length: limit }, () => begin()))
  assert.ok(begun.every(({ outcome }) => outcome.kind === 'interact'))
})
after(() => t.close())

/** Begins a request without cookies: each one seems to come from a different browser. */
async function begin(parameters: Record<string, string> = {}, session = null, where = from) {
  const browser = t.ports.random.handle('browser')
  const input = { parameters: parametersFrom({ ...validParameters, ...parameters }), session, browser }
  return { browser, outcome: await authorize(t.ports, input, where) }
}

/** Asserts that the limit, which is checked last, refused the request with a page. */
function assertLimited(outcome: AuthorizeOutcome): void {
  assert.ok(outcome.kind === 'error_page')
  const { reason, clientName, retryAfterSeconds } = outcome.error
  assert.deepEqual(
    [reason, clientName, retryAfterSeconds],
    ['pending_request_limit', 'Web App', windowSeconds],
  )
  const event = t.events.at(-1)
  assert.deepEqual(
    [event?.name, event?.reason, event?.clientId],
    ['authorize_refused', 'pending_request_limit', 'web'],
  )
  assert.deepEqual(
    event?.checks?.map(({ check, result }) => [check, result]),
    authorizeChecks.map(check => [check, check === 'rate_limit_not_exceeded' ? 'failed' : 'passed']),
  )
}

async function signInAndGoOn(): Promise<void> {
  const { browser, outcome } = await begin()
  assert.ok(outcome.kind === 'interact')
  const session = await t.openSession('alice')
  const answer = await resume(t.ports, { pending: outcome.pending, browser, session }, from)
  assert.ok(answer.kind === 'respond' && answer.grantId !== undefined)
}

test('LIM-06 requests that do not become pending are not limited: refusals, prompt=none, and signed-in users', async () => {
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

test('LIM-06 the pending requests of one address are limited, whatever browser handles it sends', async () => {
  assertLimited((await begin()).outcome)
  const elsewhere = { ...context, address: '198.51.100.7' }
  assert.equal((await begin({}, null, elsewhere)).outcome.kind, 'interact')
  assert.equal((await begin({}, null, { ...context, address: null })).outcome.kind, 'interact')
  t.advance(windowSeconds)
  assert.equal((await begin()).outcome.kind, 'interact')
})
