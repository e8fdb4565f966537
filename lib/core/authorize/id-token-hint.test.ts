import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { type AuthorizeOutcome, authorize } from './authorize.ts'
import { findPendingRequest } from './pending.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({ client_id: 'another' })
  await t.addUser('alice')
})
after(() => t.close())

type Parameters = Readonly<Record<string, string>>

/** Sends one authorization request for this user; `null`: no user is signed in. */
async function ask(parameters: Parameters, subject: string | null = 'alice'): Promise<AuthorizeOutcome> {
  const session = subject === null ? null : await t.openSession(subject)
  const browser = t.ports.random.handle('browser')
  const asked = parametersFrom({ ...validParameters, ...parameters })
  return authorize(t.ports, { parameters: asked, session, browser }, context)
}

function answer(outcome: AuthorizeOutcome): { fields: Record<string, string>; uri: string } {
  assert.ok(outcome.kind === 'respond')
  return { fields: Object.fromEntries(outcome.fields), uri: outcome.to.redirectUri }
}

const implicit = { response_type: 'id_token token', scope: 'openid profile api', nonce: 'n-1' }

test('prompt=none answers for the user that id_token_hint names, even when the hint has expired', async () => {
  const hint = answer(await ask(implicit)).fields.id_token ?? ''
  t.advance(1000)
  assert.ok(answer(await ask({ prompt: 'none', id_token_hint: hint })).fields.code)
  await t.addUser('bob')
  assert.equal(
    answer(await ask({ prompt: 'none', id_token_hint: hint }, 'bob')).fields.error,
    'login_required',
  )
})

test('an id_token_hint of another client reveals nothing: neither who is signed in nor whether it is the user that it names', async () => {
  const other = { ...implicit, client_id: 'another' }
  const id_token_hint = answer(await ask(other)).fields.id_token ?? ''
  assert.notEqual(id_token_hint, '')
  const replies = []
  for (const user of ['alice', 'bob', null]) {
    const { fields, uri } = answer(await ask({ prompt: 'none', id_token_hint }, user))
    replies.push({ fields, uri })
  }
  assert.equal(replies[0]?.fields.error, 'login_required')
  assert.deepEqual(replies[1], replies[0])
  assert.deepEqual(replies[2], replies[0])
})

test('an id_token_hint of another client does not become the hint of a pending request', async () => {
  const other = { ...implicit, client_id: 'another' }
  const id_token_hint = answer(await ask(other)).fields.id_token ?? ''
  const browser = t.ports.random.handle('browser')
  const parameters = parametersFrom({ ...validParameters, id_token_hint })
  const outcome = await authorize(t.ports, { parameters, session: null, browser }, context)
  assert.ok(outcome.kind === 'interact')
  const stored = await findPendingRequest(t.ports, { pending: outcome.pending, browser })
  assert.deepEqual(stored?.hint, { kind: 'unreadable' })
})
