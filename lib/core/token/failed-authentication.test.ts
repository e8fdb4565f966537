import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Ports } from '#lib/ports/ports.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { introspect } from '../introspection/introspection.ts'
import { revoke } from '../revocation/revocation.ts'
import { context } from '../testing/ports.ts'
import { openTestFlow, refusedCode, secret, type TestFlow } from '../testing/token-flow.ts'
import { answerTokenRequest } from './token.ts'

let flow: TestFlow
/** The called ports, oldest first. */
let calls: string[] = []
let ports: Ports
before(async () => {
  flow = await openTestFlow()
  const machine = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
  await flow.addClient({ ...machine, client_id: 'disabled', enabled: false }, secret)
  await flow.addClient({ ...machine, client_id: 'no-secrets' })
  const method = 'client_secret_basic'
  await flow.addClient({ ...machine, client_id: 'basic-only', token_endpoint_auth_method: method }, secret)
  ports = withCallList(flow.ports, await flow.ports.passwords.hash(secret))
})
after(() => flow.close())

/** Gives the scope `api` a valid secret and every other scope an expired one, and records the calls. */
function withCallList({ clients, scopes, secrets, ...others }: Ports, digest: string): Ports {
  const called = <T>(name: string, result: T): T => {
    calls.push(name)
    return result
  }
  return {
    ...others,
    clients: { ...clients, find: id => called('clients.find', clients.find(id)) },
    scopes: {
      ...scopes,
      find: async name => {
        const found = await called('scopes.find', scopes.find(name))
        const expiresAt = name === 'api' ? null : new Date(0)
        return found && { ...found, secrets: [{ id: 's', digest, expiresAt }] }
      },
    },
    secrets: {
      ...secrets,
      verify: async (...input) => called('secrets.verify', await secrets.verify(...input)),
    },
  }
}

type Caller = Readonly<Record<'client_id' | 'client_secret', string>>
const endpoints = {
  token: (caller: Caller) => answerTokenRequest(ports, requestOf(caller), context),
  introspection: (caller: Caller) => introspect(ports, requestOf(caller), context),
  revocation: (caller: Caller) => revoke(ports, requestOf(caller), context),
}

function requestOf(caller: Caller) {
  const parameters = parametersFrom({ grant_type: 'client_credentials', token: 'x', ...caller })
  return { parameters, authorization: null }
}

const clients = [
  ['made-up', 'unknown_client'],
  ['mächtig', 'unknown_client'],
  ['web', 'secret_wrong'],
  ['disabled', 'client_disabled'],
  ['no-secrets', 'secrets_absent'],
  ['basic-only', 'auth_method_differs'],
] as const

async function failedEvent(endpoint: keyof typeof endpoints, id: string) {
  calls = []
  const outcome = await endpoints[endpoint]({ client_id: id, client_secret: 'wrong' })
  assert.equal(refusedCode(outcome), 'invalid_client')
  return flow.events.findLast(({ name }) => name === 'client_authentication_failed')
}

for (const endpoint of ['token', 'introspection', 'revocation'] as const) {
  describe(`a failed client authentication, ${endpoint}`, () => {
    for (const [id, reason] of clients) {
      test(`TK-02 ${id}: the event has the reason ${reason}, and nothing is read after the check of the secret`, async () => {
        const event = await failedEvent(endpoint, id)
        assert.deepEqual([event?.clientId, event?.reason], [id, reason])
        assert.deepEqual(event?.details, { method: 'client_secret_post' })
        assert.equal(calls.at(-1), 'secrets.verify')
        assert.ok(calls.filter(call => call === 'clients.find').length <= 1)
      })
    }
  })
}

describe('a failed authentication of an API', () => {
  const rows = [
    ['api', 'secret_wrong'],
    ['api.write', 'secrets_expired'],
  ] as const
  for (const [name, reason] of rows) {
    test(`${name}: the event has the reason ${reason} and names no client`, async () => {
      const event = await failedEvent('introspection', name)
      assert.deepEqual([event?.clientId, event?.reason], [undefined, reason])
      assert.deepEqual(event?.details, { method: 'client_secret_post', resource: name })
      assert.equal(calls.at(-1), 'secrets.verify')
    })
  }
})
