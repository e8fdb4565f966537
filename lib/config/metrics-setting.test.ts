import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Environment, readConfig } from './env.ts'

test('ME-02 metrics are off without a port or a token, and their port is on a loopback address', () => {
  assert.equal(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics, null)
  const listen = { host: '127.0.0.1', port: 9464, prefix: 'METRICS_' }
  assert.deepEqual(readConfig({ METRICS_PORT: '9464' }).metrics, { listen, token: null, clients: [] })
  const token = 'x'.repeat(32)
  assert.deepEqual(readConfig({ METRICS_TOKEN: token }).metrics, { listen: null, token, clients: [] })
})

test('ME-04 METRICS_CLIENTS names up to 50 clients', () => {
  const read = (METRICS_CLIENTS: string) =>
    readConfig({ METRICS_PORT: '9464', METRICS_CLIENTS }).metrics?.clients
  assert.deepEqual(read('web, machine'), ['web', 'machine'])
  const many = Array.from({ length: 51 }, (_, number) => `c${number}`)
  assert.equal(read(many.slice(1).join(','))?.length, 50)
  for (const wrong of [many.join(','), 'web,,machine', 'a b'])
    assert.throws(() => read(wrong), {
      message: /^METRICS_CLIENTS is ".*", but it must be client IDs separated by commas, at most 50\.$/,
    })
})

const refused: ReadonlyArray<readonly [string, Environment, RegExp]> = [
  [
    'a short token',
    { METRICS_TOKEN: 'x'.repeat(31) },
    /^METRICS_TOKEN is \(not shown\), but it must have at least 32 characters; make one with "openssl rand -hex 32"\.$/,
  ],
  [
    'a token that no header can contain',
    { METRICS_TOKEN: `${'x'.repeat(32)} y` },
    /^METRICS_TOKEN is \(not shown\), but it must be a bearer token/,
  ],
  [
    'the port of everything else',
    { METRICS_PORT: '3000' },
    /^METRICS_PORT is "3000", but that is PORT too; use another port\.$/,
  ],
]

for (const [name, environment, message] of refused) {
  test(`ME-02 metrics refuse ${name} in one sentence`, () => {
    assert.throws(() => readConfig(environment), { message })
  })
}
