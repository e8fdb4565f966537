/** Tests how pending requests and codes are stored: a reader of the database cannot use them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { verifierMatches } from '#lib/protocol/wire/pkce.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import type { AuthorizeOutcome } from './authorize.ts'
import { authorize } from './authorize.ts'
import { findPendingRequest, savePending } from './pending.ts'
import { resume } from './resume.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addUser('alice')
  await t.addUser('bob')
})
after(() => t.close())

async function ask(parameters: Readonly<Record<string, string>>): Promise<AuthorizeOutcome> {
  const [session, browser] = [await t.openSession('alice'), t.ports.random.handle('browser')]
  return authorize(
    t.ports,
    { parameters: parametersFrom({ ...validParameters, ...parameters }), session, browser },
    context,
  )
}

function fieldsOf(outcome: AuthorizeOutcome): Readonly<Record<string, string>> {
  assert.ok(outcome.kind === 'respond')
  return Object.fromEntries(outcome.fields)
}

const implicit = { response_type: 'id_token token', scope: 'openid profile api', nonce: 'n-1' }

test('CD-01 a pending request is stored sealed, bound to its row and without its id_token_hint', async () => {
  const hint = fieldsOf(await ask(implicit)).id_token ?? ''
  const browser = t.ports.random.handle('browser')
  const pkce = { code_challenge: 'p'.repeat(43), code_challenge_method: 'plain' }
  const parameters = { ...validParameters, ...pkce, state: 's'.repeat(100), id_token_hint: hint }
  const outcome = await authorize(
    t.ports,
    { parameters: parametersFrom(parameters), session: null, browser },
    context,
  )
  assert.ok(outcome.kind === 'interact')
  const digest = t.ports.hashing.tokenDigest(outcome.pending)
  const stored = await t.ports.pendingRequests.find(digest, t.ports.hashing.digest(browser))
  assert.ok(stored)
  // Shorter values may appear in any random text
  for (const value of Object.values(parameters).filter(({ length }) => length > 10))
    assert.ok(!JSON.stringify(stored).includes(value))
  assert.ok(stored.sealedParameters.length < hint.length + 1000)
  assert.throws(() => t.ports.sealing.open(stored.sealedParameters, 'pending_requests:parameters:another'))
  const { pending } = outcome
  const [alice, bob] = [await t.openSession('alice'), await t.openSession('bob')]
  const resumed = (session: typeof alice) => resume(t.ports, { pending, browser, session }, context)
  assert.equal(fieldsOf(await resumed(bob)).error, 'login_required', 'the hint still names Alice')
  const again = await authorize(
    t.ports,
    { parameters: parametersFrom(parameters), session: null, browser },
    context,
  )
  assert.ok(again.kind === 'interact')
  assert.ok(
    fieldsOf(await resume(t.ports, { pending: again.pending, browser, session: alice }, context)).code,
  )
})

test('CD-01 a plain code_challenge is stored as a digest, which is not a valid verifier', async () => {
  const verifier = 'plain-verifier-'.repeat(3)
  const fields = fieldsOf(await ask({ code_challenge: verifier, code_challenge_method: 'plain' }))
  const stored = await t.ports.codes.find(t.ports.hashing.digest(fields.code ?? ''))
  assert.ok(stored?.codeChallenge)
  assert.ok(!JSON.stringify(stored).includes(verifier))
  const proves = (sent: string) => verifierMatches(sent, stored.codeChallenge ?? '', t.ports.hashing)
  assert.deepEqual([proves(verifier), proves(stored.codeChallenge)], [true, false])
})

test('a request that was stored under the digest of its handle, without the time, is found', async () => {
  const { random, hashing, sealing, pendingRequests } = t.ports
  const [browser, pending] = [random.handle('browser'), random.handle('pending')]
  const owner = hashing.digest(browser)
  const newer = hashing.tokenDigest(await savePending(t.ports, { parameters: validParameters, browser }))
  const stored = await pendingRequests.find(newer, owner)
  assert.ok(stored)
  const digest = hashing.digest(pending)
  const parameters = sealing.open(stored.sealedParameters, `pending_requests:parameters:${newer}`)
  const sealedParameters = sealing.seal(parameters, `pending_requests:parameters:${digest}`)
  await pendingRequests.create({ ...stored, digest, sealedParameters })
  assert.equal((await findPendingRequest(t.ports, { pending, browser }))?.digest, digest)
  assert.equal(await findPendingRequest(t.ports, { pending, browser: random.handle('browser') }), null)
})
