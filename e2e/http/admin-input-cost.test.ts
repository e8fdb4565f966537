/**
 * Tests that the cost of an administrator's input grows in proportion to its length, whatever it contains. The cost is the
 * processor time of the thread that answers all requests.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Admin } from '../fixtures/dashboard/administrator.ts'
import {
  type Api,
  openApi,
  openStaff,
  staffedConfiguration,
} from '../fixtures/dashboard/administrators-by-role.ts'
import {
  bodyWith,
  hostileText,
  hostileValues,
  type Place,
  placesIn,
} from '../fixtures/dashboard/hostile-bodies.ts'
import { openapiSchema, operationsOf } from '../fixtures/dashboard/openapi.ts'
import { useCases } from '../fixtures/dashboard/permission-tables.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { type Meter, medianOf, meteredEnvironment, openMeter } from '../fixtures/runner/processor-meter.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

/**
 * The two lengths that are compared. Code that compares each character or member with all others would take seconds for the
 * larger one.
 */
const [small, large] = [25_000, 100_000]
/** The cost below which a measurement is not repeated. */
const cheapMs = 40
/** The largest growth: four times the length may cost four times as much, and some more on a busy machine. */
const mostGrowth = 1.6 * (large / small)

let meter: Meter
let owner: Admin
let api: Api
let operations: readonly Operation[]
latchkeySuite({
  configuration: staffedConfiguration,
  environment: meteredEnvironment,
  onceStarted: async server => {
    meter = await openMeter(server)
    owner = (await openStaff(server)).owner
    api = await openApi(server.issuer, owner, 'owner')
    operations = await readOperations(server.issuer)
  },
})
after(() => meter.close())

type Operation = {
  readonly name: string
  readonly method: string
  readonly path: string
  places: readonly Place[]
}

async function readOperations(issuer: string): Promise<readonly Operation[]> {
  const document = openapiSchema.parse((await send(issuer, '/api/admin/openapi.json')).json())
  return operationsOf(document).flatMap(({ operationId, method, path, requestBody }) => {
    const members = Object.keys(Object(requestBody?.content['application/json'].schema.properties))
    const name = operationId.replace('_', '.')
    return requestBody === undefined ? [] : [{ name, method, path, places: placesIn(path, members) }]
  })
}

test('the cost of every body of the admin API grows linearly with its length', async () => {
  assert.ok(operations.length > 30)
  for (const { method, path, places } of operations) {
    for (const place of unmeasured(path, places)) {
      for (const [value, make] of Object.entries(hostileValues)) {
        await assertLinear(`${method} ${path}: ${place.join('.')} is ${value}`, async size => {
          const isNewClient = method === 'POST' && path === '/clients'
          const body = { ...(isNewClient ? { kind: 'machine' } : {}), ...bodyWith(place, make(size)) }
          return api.call(method, path.replaceAll(/\{\w+\}/g, 'x'), { body, headers: { 'if-match': '"1"' } })
        })
      }
    }
  }
})

test('the cost of every form of the dashboard grows linearly with its length', async () => {
  for (const { name } of useCases) {
    const places = operations.find(each => each.name === name)?.places ?? []
    for (const place of places.length === 0 ? [['unknown']] : places) {
      const field = place.at(-1) ?? ''
      await assertLinear(`${name}: ${field}`, size => owner.post(name, { [field]: hostileText(size) }))
    }
  }
})

const measured = new Set<string>()
/** Leaves out places that were measured before: creating and changing an object read the same members. */
function unmeasured(path: string, places: readonly Place[]): readonly Place[] {
  const all = places.length === 0 ? [[`unknown of ${path}`]] : places
  return all.filter(place => {
    const key = [path.split('/')[1], ...place].join(' ')
    return !measured.has(key) && measured.add(key)
  })
}

async function assertLinear(
  described: string,
  call: (characters: number) => Promise<{ readonly status: number }>,
): Promise<void> {
  const costOf = async (characters: number) => {
    const earlier = await meter.read()
    const { status } = await call(characters)
    assert.ok(status < 500, `${described}: ${status}`)
    return (await meter.read()) - earlier
  }
  if ((await costOf(large)) < cheapMs) return
  const ratios: number[] = []
  for (let turn = 0; turn < 5; turn++) ratios.push((await costOf(large)) / (await costOf(small)))
  const growth = medianOf(ratios)
  assert.ok(growth <= mostGrowth, `${described}: ${growth.toFixed(1)} times the cost for 4 times the length`)
}
