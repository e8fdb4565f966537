import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics as limits } from '#lib/config/limits.ts'
import { parseMetrics } from '../../e2e/fixtures/outside/prometheus-text.ts'
import { metricNames, metricRow } from './catalog.ts'
import { writeMetrics } from './prometheus-text.ts'
import { createRegistry, type Registry } from './registry.ts'
import { createRequestRecorder } from './request-durations.ts'
import { createWorkerTotals } from './worker-totals.ts'

const texts = ['prometheus', 'openmetrics'] as const
const histogram = 'http.server.request.duration'

function parsed(registry: Registry, format: (typeof texts)[number] = 'prometheus') {
  return parseMetrics(writeMetrics({ samples: registry.read(), version: '1.2.3' }, format))
}

/** Uses all metrics once. */
function filledRegistry(): Registry {
  const registry = createRegistry()
  for (const name of metricNames) {
    const { labels, bounds } = metricRow(name)
    const slot = registry.find(
      name,
      labels.map(label => `a "${label}"\\\n`),
    )
    if (bounds === undefined) registry.add(slot, 3)
    else registry.observe(name, slot, 0.003)
  }
  return registry
}

for (const format of texts) {
  test(`the text is valid for all metrics, in the format ${format}`, () => {
    const read = parsed(filledRegistry(), format)
    assert.equal(read.sum('target_info', { service_version: '1.2.3' }), 1)
    assert.equal(read.sum('latchkey_sign_ins_total'), 3)
    const [method] = read.valuesOf('latchkey_sign_ins_total', 'method')
    assert.equal(method, 'a \\"method\\"\\\\\\n', 'quotes, backslashes and line breaks are escaped')
  })
}

test('a histogram counts each value in its class and all above it, limits included', () => {
  const registry = createRegistry()
  const slot = registry.find(histogram, ['GET', 'https', '/login', '200'])
  for (const value of [0, 0.001, 0.0011, 10, 11]) registry.observe(histogram, slot, value)
  const read = parsed(registry)
  const below = (le: string) => read.sum('http_server_request_duration_seconds_bucket', { le })
  assert.deepEqual([below('0.001'), below('0.0025'), below('10'), below('+Inf')], [2, 3, 4, 5])
  assert.equal(read.sum('http_server_request_duration_seconds_count'), 5)
  assert.ok(Math.abs(read.sum('http_server_request_duration_seconds_sum') - 21.0021) < 1e-9)
})

test('ME-04 a process has at most 2,000 series, and requests beyond them are counted together', () => {
  const registry = createRegistry()
  const record = createRequestRecorder(registry, 'https')
  const patterns = ['/login', '/logout', '/consent', '/connect/token', '/connect/authorize', '/healthz']
  let count = 0
  for (const pattern of patterns)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'BREW'])
      for (let status = 200; status < 520; status += 1) {
        record({ requestId: '', method, pattern, status, durationMs: 1, address: null })
        count += 1
      }
  for (const name of metricNames)
    for (let value = 0; value < 3000; value += 1)
      registry.find(
        name,
        metricRow(name).labels.map(() => String(value)),
      )
  const read = parsed(registry)
  assert.ok(read.lines.length <= limits.series, String(read.lines.length))
  assert.equal(read.sum('http_server_request_duration_seconds_count'), count)
  assert.ok(read.sum('http_server_request_duration_seconds_count', { http_route: '_other' }) > 0)
})

test('ME-04 methods, routes and statuses that are not in the lists are not labels', () => {
  const registry = createRegistry()
  const record = createRequestRecorder(registry, 'https')
  const line = { requestId: '', durationMs: 2, address: null }
  record({ ...line, method: 'BREW', pattern: '/account/passkeys/add', status: 299 })
  record({ ...line, method: 'GET', pattern: '(refused)', status: 431 })
  record({ ...line, method: 'GET', pattern: '/login/second-factor', status: 404 })
  record({ ...line, method: 'GET', pattern: '/admin', status: 200 })
  record({ ...line, method: 'GET', pattern: '/metrics', status: 200 })
  const routes = registry.read().map(({ labels }) => labels.join(' '))
  assert.deepEqual(routes, [
    '_OTHER https /account/* _other',
    'GET https _other _other',
    'GET https _other 404',
    'GET https /admin/* 200',
    'GET https /metrics 200',
  ])
})

test('ME-03 workers are added up, a worker that ended still counts, and its states do not', () => {
  const registry = createRegistry()
  const slot = registry.find('latchkey.sign_ins', ['pwd', 'success'])
  registry.set(registry.find('process.memory.usage'), 100)
  const totals = createWorkerTotals(2)
  const read = () => {
    const samples = totals.read([])
    return parseMetrics(writeMetrics({ samples, version: '1' }, 'prometheus'))
  }
  registry.add(slot, 2)
  totals.receive(1, registry.read())
  registry.add(slot, 3)
  totals.receive(2, registry.read())
  assert.equal(read().sum('latchkey_sign_ins_total'), 7)
  assert.deepEqual(read().valuesOf('process_memory_usage_bytes', 'worker'), ['1', '2'])
  totals.end(1)
  totals.receive(3, [])
  assert.equal(read().sum('latchkey_sign_ins_total'), 7)
  assert.deepEqual(read().valuesOf('process_memory_usage_bytes', 'worker'), ['2'])
})

test('ME-04 the series of 64 workers are at most 2,000, and no counter goes back when workers end', () => {
  const totals = createWorkerTotals(64)
  const count = () => {
    const text = writeMetrics({ samples: totals.read([]), version: '1' }, 'prometheus')
    const read = parseMetrics(text)
    assert.ok(read.lines.length <= limits.series, String(read.lines.length))
    return read.lines.filter(({ name }) => name.endsWith('_count'))
  }
  for (let worker = 1; worker <= 64; worker += 1) {
    const registry = filledRegistry()
    for (let route = 0; route < 5; route += 1) {
      const slot = registry.find(histogram, ['GET', 'https', `/${worker}/${route}`, '200'])
      registry.observe(histogram, slot, 1)
    }
    totals.receive(worker, registry.read())
  }
  const before = count()
  for (let worker = 64; worker > 0; worker -= 1) totals.end(worker)
  assert.deepEqual(count(), before)
})

test('ME-03 a state that all workers have dropped has no series, and keeps its slot for later', () => {
  const registry = createRegistry()
  const set = (algorithm: string) => registry.set(registry.find('latchkey.key.age', [algorithm]), 5)
  const totals = createWorkerTotals(1)
  const read = () => {
    totals.receive(1, registry.read())
    return totals.read([]).map(({ labels, values }) => [...labels, ...values].join(' '))
  }
  set('ES256')
  set('RS256')
  assert.deepEqual(read(), ['ES256 5', 'RS256 5'])
  registry.drop('latchkey.key.age')
  set('ES256')
  assert.deepEqual(read(), ['ES256 5'])
  registry.find('latchkey.key.age', ['RS256'])
  assert.deepEqual(read(), ['ES256 5', 'RS256 0'])
})

test('ME-03 a message that arrives after the end of its worker does not count twice', () => {
  const registry = createRegistry()
  registry.add(registry.find('latchkey.sign_ins', ['pwd', 'success']), 2)
  registry.set(registry.find('process.memory.usage'), 100)
  const totals = createWorkerTotals(1)
  totals.receive(1, registry.read())
  totals.end(1)
  totals.receive(1, registry.read())
  const found = totals.read([]).map(({ name, values }) => [name, ...values])
  assert.deepEqual(found, [['latchkey.sign_ins', 2]])
})
