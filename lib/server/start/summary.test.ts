import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readiness } from '../readiness.ts'
import { summaryBox } from './summary.ts'

const summary = {
  version: '0.1.0',
  issuer: 'http://localhost:3000',
  configuration: null,
  data: '/data/latchkey.db',
  startMs: 812,
  warnings: [],
  demo: {
    people: [{ username: 'alice', password: 'x' }],
    clients: [{ clientId: 'web', secret: null, use: 'code' }],
    apis: [{ name: 'orders', secret: 'y' }],
  },
  hasPlayground: true,
  dashboard: { demoOwner: { username: 'alice', password: 'x' }, setUpLink: null, addresses: null },
}

test('DX-01 the box names issuer, discovery, playground, demo, data and how to stop', () => {
  const box = summaryBox(summary)
  for (const word of [
    'http://localhost:3000/.well-known/openid-configuration',
    '/playground',
    'Latchkey 0.1.0',
    'http://localhost:3000/admin  (demo owner: alice / x)',
    'orders / y  introspection',
    'web',
    '/data/',
    'Ctrl-C',
  ]) {
    assert.ok(box.includes(word), word)
  }
  assert.equal(
    new Set(box.split('\n').map(line => line.length)).size,
    1,
    'every line is as wide as the frame',
  )
})

test('a configuration file stands in it with what is in it, and warnings do', () => {
  const configuration = 'my-config.json: 2 clients, 1 person'
  const box = summaryBox({ ...summary, configuration, warnings: ['Beware.'] })
  assert.match(box, /Configuration +my-config\.json: 2 clients, 1 person/)
  assert.match(box, /Warning +Beware\./)
})

test('without an owner the link that makes one stands in it', () => {
  const setUpLink = 'http://localhost:3000/admin/setup?token=inv_x'
  const box = summaryBox({ ...summary, dashboard: { demoOwner: null, setUpLink, addresses: null } })
  assert.match(box, /First owner +http:\/\/localhost:3000\/admin\/setup\?token=inv_x/)
  assert.match(box, /works once, for 60 minutes/)
})

test('AD-09 whom the dashboard is open to stands in it', () => {
  const dashboard = { ...summary.dashboard, addresses: ['10.0.0.0/8', '::1'] }
  assert.match(summaryBox({ ...summary, dashboard }), /Open to 10\.0\.0\.0\/8, ::1 alone\./)
})

test('without demo there are no names in it', () => {
  const box = summaryBox({ ...summary, demo: null, hasPlayground: false })
  assert.ok(!box.includes('Demo') && !box.includes('Playground'))
})

test('readiness says which part is missing, and never why', async () => {
  const works = async () => {}
  const fails = () => Promise.reject(new Error('postgres://secret'))
  assert.equal((await readiness({ ping: works, keySet: works })).status, 'ready')
  const report = await readiness({ ping: fails, keySet: works })
  assert.deepEqual(report, {
    status: 'not_ready',
    checks: { database: 'failed', keys: 'ok', accepting: 'ok' },
  })
})
