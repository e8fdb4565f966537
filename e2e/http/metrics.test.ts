/** Tests metrics over HTTP: who can read them, what they count, and the sum of several workers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Exposition, parseMetrics } from '../fixtures/outside/prometheus-text.ts'
import { authorize, codeRequest, delivered, newProof, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { spawnLatchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const token = 'a-token-for-the-collector-of-metrics'
const openMetrics = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5'

/** Removes the parts that differ between two answers to unknown addresses. */
function withoutIds(page: string): string {
  const ids = [/nonce="[^"]*"/g, /[A-Z0-9]{4}-[A-Z0-9]{4}/g, /<time .*?<\/time>/g]
  return ids.reduce((text, id) => text.replaceAll(id, ''), page).replaceAll('/metricz', '/metrics')
}

async function scrape(origin: string, headers: Readonly<Record<string, string>> = {}): Promise<Exposition> {
  const { status, text } = await send(origin, '/metrics', { headers })
  assert.equal(status, 200)
  return parseMetrics(text)
}

describe('ME-02 metrics with a token', () => {
  const latchkey = latchkeySuite({ environment: { METRICS_TOKEN: token } })
  const read = () => scrape(latchkey.issuer, bearer(token))

  test('strangers get the answer of an unknown address, whatever they send', async () => {
    const wrong = [{}, bearer('x'), bearer(`${token}x`), basic('metrics', token), { authorization: token }]
    for (const headers of wrong)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
        const unknown = await send(latchkey.issuer, '/metricz', { method, headers })
        const answer = await send(latchkey.issuer, '/metrics', { method, headers })
        assert.equal(answer.status, unknown.status, method)
        assert.equal(answer.headers['content-type'], unknown.headers['content-type'])
        assert.equal(withoutIds(answer.text), withoutIds(unknown.text))
      }
    assert.equal((await send(latchkey.issuer, `/metrics?token=${token}`)).status, 404)
  })

  test('with the token, both text formats are answered', async () => {
    const plain = await send(latchkey.issuer, '/metrics', { headers: bearer(token) })
    assert.equal(plain.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    const headers = { ...bearer(token), accept: openMetrics }
    const open = await send(latchkey.issuer, '/metrics', { headers })
    assert.match(String(open.headers['content-type']), /^application\/openmetrics-text; version=1\.0\.0/)
    for (const { text } of [plain, open])
      assert.ok(parseMetrics(text).sum('process_memory_usage_bytes') > 1e7)
  })

  test('ME-04 each sign-in, token and request is counted once, and names of users and clients are not labels', async () => {
    const before = await read()
    await obtainTokens(latchkey.issuer, app)
    const wrong = newBrowser(latchkey.issuer)
    await authorize(wrong, codeRequest(app, newProof()), { ...alice, password: 'not the password' })
    const form = { grant_type: 'client_credentials', scope: 'api' }
    await send(latchkey.issuer, '/connect/token', { form, headers: basic('machine', clientSecret) })
    await send(latchkey.issuer, '/connect/token', { form, headers: basic('machine', 'wrong') })
    await send(latchkey.issuer, withQuery('/connect/authorize', { client_id: 'nonsense' }))
    const after = await read()
    const added = (name: string, labels: Readonly<Record<string, string>>) =>
      after.sum(name, labels) - before.sum(name, labels)
    const tokens = 'latchkey_tokens_issued_total'
    for (const [token, format] of [
      ['access', 'jwt'],
      ['id', 'jwt'],
      ['refresh', 'opaque'],
    ] as const)
      assert.equal(added(tokens, { grant_type: 'authorization_code', token, format }), 1, token)
    assert.equal(added(tokens, { grant_type: 'client_credentials' }), 1)
    assert.equal(added('latchkey_sign_ins_total', { method: 'pwd', outcome: 'success' }), 1)
    assert.equal(added('latchkey_sign_ins_total', { method: 'pwd', outcome: 'failure' }), 1)
    const refused = 'latchkey_requests_refused_total'
    assert.equal(added(refused, { http_route: '/connect/token', error: 'invalid_client' }), 1)
    assert.equal(added(refused, { http_route: '/connect/authorize' }), 1)
    const requests = 'http_server_request_duration_seconds_count'
    const posted = { http_route: '/connect/token', http_request_method: 'POST' }
    assert.equal(added(requests, { ...posted, http_response_status_code: '200' }), 2)
    assert.equal(added(requests, { ...posted, http_response_status_code: '401' }), 1)
    const values = after.lines.flatMap(({ labels }) => Object.values(labels))
    for (const word of [alice.username, 'trusted', 'machine', 'nonsense', app])
      assert.ok(!values.some(value => value.includes(word)), word)
  })

  test('the keys, the outbox and the queues of checks are measured', async () => {
    const measured = await read()
    assert.ok(measured.sum('latchkey_key_age_seconds', { algorithm: 'RS256' }) >= 0)
    assert.ok(measured.valuesOf('latchkey_key_age_seconds', 'algorithm').includes('RS256'))
    assert.deepEqual(measured.valuesOf('latchkey_delivery_waiting', 'kind'), ['mail'])
    assert.ok(measured.sum('latchkey_hash_duration_seconds_count', { queue: 'password' }) > 0)
    assert.equal(measured.sum('latchkey_hash_refused_total'), 0)
  })

  test('ME-01 statements and garbage collections are measured', async () => {
    const before = await read()
    await obtainTokens(latchkey.issuer, app)
    const after = await read()
    const name = 'db_client_operation_duration_seconds_count'
    for (const operation of ['read', 'change']) {
      const labels = { db_operation_name: operation }
      assert.ok(after.sum(name, labels) > before.sum(name, labels), operation)
    }
    assert.ok(after.sum('v8js_gc_duration_seconds_count') > 0)
    assert.equal(after.sum('latchkey_events_dropped_total'), 0)
  })

  test('tokens of the front channel are counted', async () => {
    const before = await read()
    const implicit = { client_id: 'spa', response_type: 'token', scope: 'api' }
    const visit = await authorize(newBrowser(latchkey.issuer), {
      ...codeRequest(app, newProof(), implicit),
      code_challenge: '',
    })
    assert.ok(delivered(visit).has('access_token'))
    const labels = { grant_type: 'implicit', token: 'access' }
    const name = 'latchkey_tokens_issued_total'
    assert.equal((await read()).sum(name, labels) - before.sum(name, labels), 1)
  })
})

test('ME-02 without settings no one can read metrics', async context => {
  const port = await freePort()
  const server = await startLatchkey({ port, configuration: testConfiguration({ app }) })
  context.after(() => server.stop())
  for (const headers of [{}, bearer(token), bearer('')])
    assert.equal((await send(server.origin, '/metrics', { headers })).status, 404)
})

test('ME-02 a port only for metrics has only metrics, and the main port has none', async context => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const environment = { METRICS_PORT: String(metricsPort) }
  const server = await startLatchkey({ port, environment, configuration: testConfiguration({ app }) })
  context.after(() => server.stop())
  const origin = `http://127.0.0.1:${metricsPort}`
  assert.equal((await scrape(origin)).sum('target_info', { service_name: 'latchkey' }), 1)
  for (const path of ['/', '/healthz', '/metrics/', '/metricsx', '/connect/token'])
    assert.equal((await send(origin, path)).status, 404, path)
  assert.equal((await send(origin, '/metrics', { method: 'POST' })).status, 404)
  assert.equal((await send(server.origin, '/metrics')).status, 404)
  assert.equal((await send(server.origin, '/healthz')).status, 200)
})

test('ME-02 a port for metrics that is in use stops the start with its name', async context => {
  const other = await startLatchkey({ port: await freePort(), configuration: testConfiguration({ app }) })
  context.after(() => other.stop())
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-metrics-'))
  context.after(() => rm(dataDirectory, { recursive: true, force: true }))
  const port = await freePort()
  const used = new URL(other.origin).port
  const started = await spawnLatchkey({
    ...{ port, dataDirectory, issuer: `http://localhost:${port}`, configuration: testConfiguration({ app }) },
    environment: { METRICS_PORT: used, METRICS_HOST: 'localhost' },
  })
  const [code] = await once(started.process, 'exit')
  assert.equal(code, 2)
  assert.match(
    started.output(),
    new RegExp(`METRICS_PORT is "${used}", but something else is listening there`),
  )
})

test('ME-03 the primary process adds up all workers, and a killed worker still counts', async context => {
  const databases = await openPostgresDatabases()
  context.after(() => databases.close())
  const [port, metricsPort] = [await freePort(), await freePort()]
  const node = await startLatchkey({
    ...{ port, workers: 2, databaseUrl: await databases.create(), configuration: testConfiguration({ app }) },
    environment: { METRICS_PORT: String(metricsPort), METRICS_TOKEN: token },
  })
  context.after(() => node.stop())
  const origin = `http://127.0.0.1:${metricsPort}`
  assert.equal((await send(origin, '/metrics')).status, 404, 'the port asks for the token')
  const count = { http_route: '/.well-known/jwks' }
  const counted = (read: Exposition) => read.sum('http_server_request_duration_seconds_count', count)
  const until = async (isTrue: (read: Exposition) => boolean) => {
    const deadline = Date.now() + 20_000
    for (;;) {
      const read = await scrape(origin, bearer(token))
      if (isTrue(read)) return read
      assert.ok(Date.now() < deadline, `${counted(read)} requests, ${read.sum('latchkey_workers')}`)
      await delay(100)
    }
  }
  await until(read => read.sum('latchkey_workers', { state: 'serving' }) === 2)
  await Promise.all(Array.from({ length: 40 }, () => send(node.origin, '/.well-known/jwks')))
  const read = await until(each => counted(each) === 40)
  assert.equal(read.valuesOf('process_memory_usage_bytes', 'worker').length, 2)
  assert.equal(read.sum('latchkey_workers_replaced_total'), 0)
  assert.ok(read.sum('latchkey_database_connections') >= 2)

  const pid = /"worker":1,"pid":(\d+)/.exec(node.output())?.[1] ?? assert.fail(node.output())
  process.kill(Number(pid), 'SIGKILL')
  const replaced = await until(
    each =>
      each.sum('latchkey_workers_replaced_total') === 1 &&
      each.valuesOf('process_memory_usage_bytes', 'worker').length === 2,
  )
  assert.equal(counted(replaced), 40)
  const { text } = await send(node.origin, '/metrics', { headers: bearer(token) })
  assert.equal(counted(parseMetrics(text)), 40, 'a worker answers for all')
})
