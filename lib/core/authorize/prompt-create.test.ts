/** Tests `prompt=create` (OpenID Connect Prompt Create 1.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ports } from '#lib/ports/ports.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { discovery } from '../discovery/discovery.ts'
import { check, fresh, pending, provider, relayed } from '../testing/decision.ts'
import { context, openTestPorts, withPolicies } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { authorize } from './authorize.ts'
import { resume } from './resume.ts'

test('prompt=create leads to the registration page until the user signs in or chooses an account', () => {
  const create = { prompts: ['create'] } as const
  const chosen = { ...pending, chosenSubject: fresh.subject }
  check([
    [{ request: create }, 'ask register prompt_create'],
    [{ request: create, session: null }, 'ask register prompt_create'],
    [{ request: create, pending }, 'ask register prompt_create'],
    [{ request: create, pending: chosen }, 'issue openid api'],
    [{ request: create, pending, session: fresh }, 'issue openid api'],
    [{ request: create, pending, session: relayed }, 'issue openid api'],
    [
      {
        request: create,
        session: null,
        client: { enable_local_login: false },
        providers: [provider('corp')],
      },
      'forward corp not_signed_in',
    ],
  ])
})

const closed = [
  ['closed', {}],
  ['by invitation', { policies: withPolicies({ registration: 'invited' }) }],
  ['without mail', { policies: withPolicies({ registration: 'open' }), mail: { kind: 'off' } }],
] as const satisfies readonly (readonly [string, Partial<Ports>])[]

for (const [name, replaced] of closed)
  test(`prompt=create is refused, and absent from the metadata, if registration is ${name}`, async () => {
    const t = await openTestPorts(replaced)
    await t.addClient()
    const { prompt_values_supported } = await discovery(t.ports, 'openid')
    assert.deepEqual(prompt_values_supported, ['none', 'login', 'consent', 'select_account'])
    const outcome = await authorize(t.ports, asked(t.ports), context)
    assert.ok(outcome.kind === 'respond')
    assert.equal(Object.fromEntries(outcome.fields).error, 'invalid_request')
    assert.equal(t.events.at(-1)?.reason, 'prompt_create_closed')
    await t.close()
  })

function asked({ random }: Pick<Ports, 'random'>) {
  const parameters = parametersFrom({ ...validParameters, prompt: 'create' })
  return { parameters, session: null, browser: random.handle('browser') }
}

test('prompt=create of a request that began before registration was closed is answered', async () => {
  let policies = withPolicies({ registration: 'open' })
  const t = await openTestPorts({ policies: { current: () => policies.current() } })
  await t.addClient()
  await t.addUser('newcomer')
  const request = asked(t.ports)
  const begun = await authorize(t.ports, request, context)
  assert.ok(begun.kind === 'interact' && begun.at === 'register')
  policies = withPolicies({})
  t.advance(1)
  const session = await t.openSession('newcomer')
  const { browser } = request
  const outcome = await resume(t.ports, { pending: begun.pending, browser, session }, context)
  assert.ok(outcome.kind === 'respond')
  assert.ok(Object.fromEntries(outcome.fields).code)
  await t.close()
})
