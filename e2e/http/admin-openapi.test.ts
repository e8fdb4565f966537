/** Tests that the OpenAPI document of the admin API is valid and complete, and that the API conforms to it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journey, made } from '../fixtures/dashboard/admin-api-calls.ts'
import { type Admin, openAdmin } from '../fixtures/dashboard/administrator.ts'
import {
  type Api,
  callApi,
  openApi,
  staff,
  staffedConfiguration,
} from '../fixtures/dashboard/administrators-by-role.ts'
import {
  assertAsDocumented,
  assertMatches,
  type Openapi,
  type Operation,
  openapiSchema,
  operationsOf,
} from '../fixtures/dashboard/openapi.ts'
import { bob } from '../fixtures/server/configuration.ts'
import type { Latchkey } from '../fixtures/server/latchkey.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

let owner: Admin
let api: Api
let openapi: Openapi
let operations: readonly Operation[]
const latchkey = latchkeySuite({
  configuration: staffedConfiguration,
  onceStarted: async server => {
    owner = await openAdmin(server, { who: staff.owner })
    api = await openApi(server.issuer, owner, 'owner')
    const served = await callApi(server.issuer, 'GET', '/openapi.json')
    openapi = openapiSchema.parse(served.json())
    operations = operationsOf(openapi)
    made.issuer = server.issuer
    await prepareUser(server)
  },
})

describe('the OpenAPI document', () => {
  test('is public JSON and names this server', async () => {
    const served = await callApi(latchkey.issuer, 'GET', '/openapi.json')
    assert.equal(served.status, 200)
    assert.match(String(served.headers['content-type']), /^application\/json/)
    assert.equal(openapi.servers[0]?.url, `${latchkey.issuer}/api/admin`)
    assert.match(JSON.stringify(openapi.components.securitySchemes), /"tokenUrl":"[^"]+\/connect\/token"/)
    for (const scheme of openapi.security.flatMap(each => Object.keys(each)))
      assert.ok(scheme in openapi.components.securitySchemes)
  })

  test('every $ref resolves', () => {
    const references = [...JSON.stringify(openapi).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to)
    assert.ok(references.length > 0)
    for (const reference of new Set(references)) {
      const steps = reference.replace(/^#\//, '').split('/')
      const found = steps.reduce<unknown>((at, step) => Object(at)[step], openapi)
      assert.notEqual(found, undefined, reference)
    }
    assert.doesNotMatch(JSON.stringify(openapi), /"\$(defs|schema|id)"/)
  })

  test('every operation has a unique operationId and the parameters of its path', () => {
    const names = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length)
    for (const { path, parameters, operationId } of operations) {
      const inPath = parameters.filter(parameter => parameter.in === 'path')
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      assert.deepEqual(
        inPath.map(({ name }) => name),
        wanted,
        operationId,
      )
      assert.ok(
        inPath.every(({ required }) => required),
        operationId,
      )
      const keys = parameters.map(({ name, in: place }) => `${place} ${name}`)
      assert.equal(new Set(keys).size, keys.length, operationId)
    }
  })
})

describe('the server implements exactly the documented operations', () => {
  test('every documented operation requires a token, and every other method is 405', async () => {
    for (const path of Object.keys(openapi.paths)) {
      const address = path.replace(/\{\w+\}/g, 'made-up')
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const isThere = methodsAt(address).has(method.toLowerCase())
        const stranger = await callApi(latchkey.issuer, method, address)
        assert.equal(stranger.status, 401, `${method} ${path}`)
        if (isThere) continue
        const other = await api.call(method, address)
        assert.equal(other.status, 405, `${method} ${path}`)
        const allow = String(other.headers.allow).toLowerCase().split(', ')
        assert.deepEqual(new Set(allow.filter(each => each !== 'head')), methodsAt(address))
      }
    }
  })
})

describe('every operation responds as documented', () => {
  test('every documented operation is called by this test', () => {
    const called = journey.map(({ call }) => call)
    assert.deepEqual(called.toSorted(), operations.map(({ operationId }) => operationId).toSorted())
  })
  for (const step of journey) {
    test(`${step.call} responds as documented`, async () => {
      const operation = operations.find(({ operationId }) => operationId === step.call) ?? assert.fail()
      if (step.call.endsWith('_restore')) await rememberChange(step.seen?.() ?? '')
      const { method, path } = operation
      const named = Object.entries(step.named?.() ?? {})
      const address = named.reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
      const version = step.seen === undefined ? null : (await api.call('GET', step.seen())).headers.etag
      const wantsVersion = operation.parameters.some(({ name }) => name === 'If-Match')
      assert.equal(version !== null, wantsVersion, 'If-Match is documented where it is wanted')
      const answer = await api.call(method, step.query === undefined ? address : `${address}?${step.query}`, {
        ...(step.body === undefined ? {} : { body: step.body() }),
        headers: typeof version === 'string' ? { 'if-match': version } : {},
      })
      assertAsDocumented(operation, answer)
      step.learn?.(answer)
    })
  }
  test('a refusal is a documented problem', async () => {
    const described = openapi.components.responses.Problem?.content ?? {}
    const schema = Object(described['application/problem+json']).schema
    const refusals = [
      await callApi(latchkey.issuer, 'GET', '/clients'),
      await api.call('POST', '/clients', { body: {} }),
      await api.call('GET', '/nowhere'),
    ]
    for (const answer of refusals) assertMatches(schema, answer, String(answer.status))
  })
})

/** Plans the deletion of a user's account, and links an identity to it: the test cancels one and unlinks the other. */
function prepareUser(server: Latchkey): Promise<void> {
  const createdAt = new Date()
  const dueAt = new Date(createdAt.getTime() + 86_400_000)
  const planned = { subject: bob.sub, kind: 'delete_account', createdAt, dueAt }
  const identity = { scheme: 'closed', issuer: 'https://closed.example', externalSubject: 'linked' }
  return onTablesOf(server, async tables => {
    await tables.plannedChange.create({ data: planned })
    await tables.externalLogin.create({ data: { ...identity, subject: bob.sub, createdAt } })
  })
}

/** Reads the number of the latest change, which names a version to restore. */
async function rememberChange(page: string): Promise<void> {
  const { text } = await owner.get(`/admin${page}/history`)
  made.change = /name="seq" value="(\d+)"/.exec(text)?.[1] ?? ''
}

/** The methods of all matching paths, since a literal segment can also match a parameter of another path. */
function methodsAt(address: string): ReadonlySet<string> {
  const fitting = Object.entries(openapi.paths).filter(([path]) =>
    new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address),
  )
  return new Set(fitting.flatMap(([, described]) => Object.keys(described)))
}
