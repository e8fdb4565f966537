import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientCounter } from './event-counts.ts'
import { createProviderMeter, createStatementMeter } from './outside-metrics.ts'
import { createRegistry, type Registry } from './registry.ts'

/** Returns the labels of the series of a metric that have a value. */
function labelsOf(registry: Registry, name: string) {
  return registry
    .read()
    .filter(sample => sample.name === name && sample.values.some(value => value > 0))
    .map(({ labels }) => labels.join(' '))
}

test('ME-04 requests to providers have the name of the provider, and no status that a receiver invented', () => {
  const registry = createRegistry()
  const measure = createProviderMeter(registry)
  measure({ provider: 'google', method: 'POST', status: 200, milliseconds: 20 })
  measure({ provider: 'google', method: 'POST', status: null, milliseconds: 5000 })
  measure({ provider: null, method: 'GET', status: 299, milliseconds: 1 })
  assert.deepEqual(labelsOf(registry, 'http.client.request.duration'), [
    'google POST 200',
    'google POST none',
    '_other GET _other',
  ])
})

test('ME-01 statements are measured by their kind, in seconds', () => {
  const registry = createRegistry()
  const { read, change } = createStatementMeter(registry, 'sqlite')
  read(2)
  change(7000)
  const name = 'db.client.operation.duration'
  assert.deepEqual(labelsOf(registry, name), ['sqlite read', 'sqlite change'])
  const sums = registry.read().flatMap(sample => (sample.name === name ? [sample.values.at(-1)] : []))
  assert.deepEqual(sums, [0.002, 7, 0])
})

test('ME-04 only the clients of METRICS_CLIENTS are counted by name', () => {
  const registry = createRegistry()
  const { record } = createClientCounter(registry, ['web'])
  const context = { requestId: '', address: null, userAgent: null }
  const shared = { time: new Date(0), elapsedMs: null, context }
  for (const clientId of ['web', 'other', undefined]) {
    const client = clientId === undefined ? {} : { clientId }
    record({ ...shared, ...client, name: 'tokens_issued', outcome: 'success', grantType: 'refresh_token' })
    record({ ...shared, ...client, name: 'token_refused', outcome: 'failure', reason: 'no_credentials' })
    record({ ...shared, ...client, name: 'sign_in_succeeded', outcome: 'success' })
  }
  assert.deepEqual(labelsOf(registry, 'latchkey.client.tokens'), ['web refresh_token'])
  assert.deepEqual(labelsOf(registry, 'latchkey.client.refused'), ['web /connect/token invalid_client'])
  assert.deepEqual(labelsOf(registry, 'latchkey.client.sign_ins'), ['web success'])
})
