/** Tests traces and metrics that are sent to a collector: what they contain, whose trace they continue, and collectors that fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { attributeOf, type Collector, openCollector } from '../fixtures/outside/otlp-collector.ts'
import {
  allowEverything,
  codeRequest,
  newProof,
  obtainTokens,
  openConsent,
} from '../fixtures/requests/code-flow.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { alice, clientSecret, testConfiguration } from '../fixtures/server/configuration.ts'
import { openPostgresDatabases } from '../fixtures/server/database.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

type Environment = Readonly<Record<string, string>>

function sendingTo({ origin }: Collector, changes: Environment = {}): Environment {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    ...changes,
  }
}

async function start(environment: Environment): Promise<Latchkey> {
  return startLatchkey({ port: await freePort(), environment, configuration: testConfiguration({ app }) })
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !isTrue(); await delay(50))
    assert.ok(Date.now() < deadline, what)
}

const form = { grant_type: 'client_credentials', scope: 'api' }
const machine = basic('machine', clientSecret)

test('TL-02 a sign-in is traced by routes, clients, reasons and request IDs, and by nothing that identifies a user', async context => {
  const collector = await openCollector()
  context.after(() => collector.close())
  const server = await start(
    sendingTo(collector, { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test' }),
  )
  context.after(() => server.stop())
  const tokens = await obtainTokens(server.origin, app)
  const { browser, visit } = await openConsent(server.origin, app)
  await browser.submit(visit, allowEverything(visit))
  await send(server.origin, '/connect/token', { form, headers: basic('machine', 'wrong') })
  await server.stop()
  const spans = collector.spans()
  const names = new Set(spans.map(({ name }) => name))
  for (const name of [
    ...['GET /connect/authorize', 'POST /login', 'POST /consent', 'POST /connect/token'],
    ...['client authentication', 'grant', 'consent', 'signature', 'hash', 'hash wait'],
  ])
    assert.ok(names.has(name), `${name} in ${[...names]}`)
  assert.ok(
    [...names].some(name => /^(SELECT|INSERT|UPDATE) \w+$/.test(name)),
    String([...names]),
  )
  const [granted, refused] = spans.filter(({ name }) => name === 'POST /connect/token')
  assert.ok(granted !== undefined && refused !== undefined)
  assert.equal(attributeOf(granted, 'latchkey.grant_type'), 'authorization_code')
  assert.equal(attributeOf(granted, 'http.route'), '/connect/token')
  assert.equal(attributeOf(refused, 'http.response.status_code'), '401')
  const signature = spans.find(({ name, traceId }) => name === 'signature' && traceId === granted.traceId)
  const grant = spans.find(({ spanId }) => spanId === signature?.parentSpanId)
  assert.deepEqual([grant?.name, grant?.parentSpanId], ['grant', granted.spanId])
  const [requestId, traceId] = [attributeOf(granted, 'latchkey.request_id'), granted.traceId]
  const line = server
    .output()
    .split('\n')
    .find(each => each.includes(`"requestId":"${requestId}"`))
  assert.match(line ?? '', new RegExp(`"traceId":"${traceId}"`))
  const sent = collector.texts.join('\n')
  assert.match(sent, /deployment\.environment/)
  const secrets = [alice.username, alice.password, clientSecret, '127.0.0.1', 'code_verifier', app]
  for (const secret of [...secrets, ...Object.values(tokens).filter(value => typeof value === 'string')])
    assert.ok(!sent.includes(secret), secret)
})

const callerTrace = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'
const traceparent = `00-${callerTrace}-${callerSpan}-01`

test('TL-03 only a proxy in TRUST_PROXY continues its trace and turns sampling on', async context => {
  for (const isTrusted of [true, false]) {
    const collector = await openCollector()
    context.after(() => collector.close())
    const proxies = isTrusted ? '127.0.0.1,::1' : '192.0.2.1'
    const server = await start(
      sendingTo(collector, { TRUST_PROXY: proxies, OTEL_TRACES_SAMPLER_ARG: isTrusted ? '0' : '1' }),
    )
    context.after(() => server.stop())
    const headers = { ...machine, traceparent, baggage: 'a=b', 'x-latchkey-proxy': '1' }
    await send(server.origin, '/connect/token', { form, headers })
    for (const broken of [
      '',
      'x',
      `${traceparent}-1`,
      `ff${traceparent.slice(2)}`,
      `00-${'0'.repeat(32)}-${callerSpan}-01`,
    ])
      await send(server.origin, '/connect/token', { form, headers: { ...machine, traceparent: broken } })
    await server.stop()
    const requests = collector.spans().filter(({ name }) => name === 'POST /connect/token')
    const continued = requests.filter(({ traceId }) => traceId === callerTrace)
    if (isTrusted) {
      assert.deepEqual(
        continued.map(({ parentSpanId }) => parentSpanId),
        [callerSpan],
      )
      assert.equal(requests.length, 1, 'broken headers do not turn sampling on')
    } else {
      assert.equal(continued.length, 0)
      assert.equal(requests.length, 6)
      assert.deepEqual(
        requests.flatMap(({ links }) => links.map(({ traceId }) => traceId)),
        [callerTrace],
      )
    }
  }
})

test('TL-01 a share of the requests is sampled, and only these have a trace in the log', async context => {
  const collector = await openCollector()
  context.after(() => collector.close())
  const server = await start(sendingTo(collector, { OTEL_TRACES_SAMPLER_ARG: '0.2' }))
  context.after(() => server.stop())
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      Array.from({ length: 20 }, () => send(server.origin, '/.well-known/openid-configuration')),
    )
  await server.stop()
  const name = 'GET /.well-known/openid-configuration'
  const sampled = collector.spans().filter(span => span.name === name).length
  assert.ok(sampled > 30 && sampled < 140, `${sampled} of 400`)
  assert.equal(server.output().split('"traceId"').length - 1, sampled)
})

test('ME-01 metrics are sent with the numbers of all workers, and traces with the number of their worker', async context => {
  const databases = await openPostgresDatabases()
  context.after(() => databases.close())
  const collector = await openCollector()
  context.after(() => collector.close())
  const node = await startLatchkey({
    ...{ port: await freePort(), workers: 2, databaseUrl: await databases.create() },
    ...{ environment: sendingTo(collector), configuration: testConfiguration({ app }) },
  })
  context.after(() => node.stop())
  for (let count = 0; count < 8; count += 1)
    await send(node.origin, '/connect/token', { form, headers: machine })
  const counted = () => collector.newest('latchkey.tokens.issued', { grant_type: 'client_credentials' })
  await until(() => counted() === 8, `${counted()} tokens`)
  const requests = { 'http.route': '/connect/token', 'http.response.status_code': '200' }
  assert.equal(collector.newest('http.server.request.duration', requests), 8)
  assert.equal((await send(node.origin, '/metrics')).status, 404, 'sending metrics opens no address')
  await node.stop()
  assert.match(collector.texts.join(''), /"latchkey\.worker","value":\{"intValue":[12]/)
})

for (const [failure, status] of [
  ['does not answer', null],
  ['refuses', 503],
  ['is away', 0],
] as const)
  test(`a collector that ${failure} delays no request and no end of the server`, async context => {
    const collector = await openCollector(status === 0 ? 200 : status)
    if (status === 0) await collector.close()
    else context.after(() => collector.close())
    const server = await start(sendingTo(collector))
    context.after(() => server.stop())
    const began = Date.now()
    for (let count = 0; count < 20; count += 1) {
      const answer = await send(server.origin, '/connect/token', { form, headers: machine })
      assert.equal(answer.status, 200)
    }
    await send(server.origin, withQuery('/connect/authorize', codeRequest(app, newProof())))
    assert.ok(Date.now() - began < 10_000)
    const ended = Date.now()
    await server.stop()
    assert.ok(Date.now() - ended < 15_000, `${Date.now() - ended} ms`)
  })
