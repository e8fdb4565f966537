/** Counts the database statements of checking a secret. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import type { UsageMarks } from '#lib/ports/clients.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { countStatements } from '#lib/storage/testing/count-statements.ts'
import { introspect } from '../introspection/introspection.ts'
import { context } from '../testing/ports.ts'
import { cheapHashing } from '../testing/registrar.ts'
import { testMachine } from '../testing/registrations.ts'
import { issued, openTestFlow, secret, type TestFlow } from '../testing/token-flow.ts'

const machine = { grant_type: 'client_credentials', scope: 'api' }

/** Disables last uses, which are written a second later, when a test may still be running. */
const noMarks: UsageMarks = {
  client: () => {},
  secret: () => {},
  user: () => {},
  session: () => {},
  flush: async () => {},
}

let flow: TestFlow
before(async () => {
  flow = await openTestFlow({ usage: noMarks })
  const [digest = ''] = await createSecrets(createSecretHashing(cheapHashing)).digests([secret], [])
  const name = scopeNameSchema.parse('api')
  const secrets = [{ id: 'of-the-api', digest, expiresAt: null }]
  const scopes = [{ name, metadata: { name, kind: 'resource' as const }, secrets }]
  await flow.storage.configuration.apply({ put: { scopes }, remove: {} }, flow.ports.clock.now())
  await flow.addClient({ ...testMachine, client_id: 'machine' }, secret)
  await flow.addClient({ ...testMachine, client_id: 'opaque', access_token_type: 'reference' }, secret)
})
after(() => flow.close())

test('two hundred concurrent right secrets are accepted and write nothing', async () => {
  const ask = async () => issued(await flow.ask(machine, 'machine'))
  const { write } = await countStatements(() => Promise.all(Array.from({ length: 200 }, ask)))
  assert.equal(write, 0)
})

test('a request with a known secret has no statement', async () => {
  const ask = async () => issued(await flow.ask(machine, 'machine'))
  await ask()
  assert.deepEqual(await countStatements(ask), { read: 0, write: 0 })
})

test('a request of an API that introspects reads the token, and not the API', async () => {
  const token = String(issued(await flow.ask(machine, 'opaque')).access_token)
  const ask = async () => {
    const parameters = parametersFrom({ client_id: 'api', client_secret: secret, token })
    const outcome = await introspect(flow.ports, { parameters, authorization: null }, context)
    assert.equal(outcome.kind === 'answered' && outcome.response.active, true)
  }
  await ask()
  assert.deepEqual(await countStatements(ask), { read: 1, write: 0 })
})

test('a wrong secret is counted with one message', async () => {
  const guess = () => flow.ask({ ...machine, client_secret: 'wrong' }, 'machine')
  await guess()
  assert.equal((await countStatements(guess)).write, 1)
})
