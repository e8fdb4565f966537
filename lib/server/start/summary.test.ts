import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { readConfiguration } from '#lib/protocol/registration/configuration-file.ts'
import { readiness } from '../readiness.ts'
import { connectionWarning, offlineWarnings, portWarning } from './summary.ts'
import { type Summary, summaryBox } from './summary-box.ts'

const local = {
  issuer: 'https://localhost',
  isLoopback: true,
  trustProxy: false,
  listen: [{ host: '127.0.0.1', port: 3000 }],
}
const rows = [
  ['a loopback issuer with another port', local, 1],
  ['the same port', { ...local, issuer: 'http://localhost:3000' }, 0],
  ['another port behind a declared proxy', { ...local, trustProxy: true }, 0],
  ['a Unix socket', { ...local, listen: [{ file: '/run/latchkey.sock' }] }, 0],
  ['a public issuer', { ...local, issuer: 'https://id.example', isLoopback: false }, 0],
] as const

for (const [title, config, count] of rows) {
  test(`warnings about the port at start: ${count} for ${title}`, () => {
    const warnings = portWarning(config)
    assert.equal(warnings.length, count)
    if (count === 1)
      assert.match(
        warnings[0] ?? '',
        /^ISSUER is https:\/\/localhost, but .* port 3000: they should match\.$/,
      )
  })
}

test('a start warns if this node may open more connections than the database accepts', () => {
  const node = { databaseConnections: 98 }
  assert.deepEqual(connectionWarning(node, null), [])
  assert.deepEqual(connectionWarning(node, 98), [])
  assert.match(connectionWarning(node, 97)[0] ?? '', /98 .*LATCHKEY_DATABASE_CONNECTIONS.* 97\./)
})

test('a start names the first clients of the file whose offline_access has no effect', () => {
  const clients = (count: number, more: object) =>
    Array.from({ length: count }, (_, index) => ({
      client_id: `c${index}`,
      client_name: 'C',
      client_secret: 'a long secret of a client',
      redirect_uris: ['https://app.example/callback'],
      scope: 'openid offline_access',
      ...more,
    }))
  const warningsOf = (document: object) => {
    const read = readConfiguration(document)
    assert.ok(read.kind === 'valid', JSON.stringify(read))
    return offlineWarnings(read.configuration)
  }
  const [fine] = clients(1, { client_id: 'fine', grant_types: ['authorization_code', 'refresh_token'] })
  assert.deepEqual(warningsOf({ clients: [fine] }), [])
  assert.deepEqual(warningsOf({ clients: clients(1, { scope: 'openid' }) }), [])
  assert.deepEqual(warningsOf({ clients: clients(1, { enabled: false }) }), [])
  assert.deepEqual(warningsOf({ clients: [fine, ...clients(1, {})] }), [
    'clients[1].scope: offline_access has no effect without "refresh_token" in grant_types. Add it there, or remove offline_access.',
  ])
  const many = warningsOf({ clients: clients(40, {}) })
  assert.equal(many.length, 6)
  assert.equal(many.at(-1), 'The same is true of 35 more of the clients.')
})

const summary = {
  version: '0.1.0',
  issuer: 'http://localhost:3000',
  configuration: null,
  extensions: [],
  data: '/data/latchkey.db',
  workers: 1,
  warnings: [],
  demo: {
    users: [{ username: 'alice', password: 'x' }],
    clients: [{ clientId: clientIdSchema.parse('web'), secret: null, use: 'code' }],
    apis: [{ name: scopeNameSchema.parse('orders'), secret: 'y' }],
  },
  hasPlayground: true,
  dashboard: { demoOwner: { username: 'alice', password: 'x' }, setUpLink: null, addresses: null },
}

const boxOf = (changed: Partial<Summary>) => summaryBox({ ...summary, ...changed }, 812)

test('DX-01 the box names issuer, discovery, playground, demo, data and how to stop', () => {
  const box = boxOf({})
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

test('the box contains the configuration file with its content, and the warnings', () => {
  const configuration = 'my-config.json: 2 clients, 1 user'
  const box = boxOf({ configuration, warnings: ['Beware.'] })
  assert.match(box, /Configuration +my-config\.json: 2 clients, 1 user/)
  assert.match(box, /Warning +Beware\./)
})

test('the box contains the extensions file with what it defines', () => {
  const extensions = ['extensions.ts', 'grant type act-as', 'preAuthenticate']
  assert.match(
    boxOf({ extensions }),
    /Extensions +extensions\.ts +│\n│ +grant type act-as +│\n│ +preAuthenticate/,
  )
  assert.doesNotMatch(boxOf({}), /Extensions/)
})

test('without an owner the box contains the link that makes one', () => {
  const setUpLink = 'http://localhost:3000/admin/setup?token=inv_x'
  const box = boxOf({ dashboard: { demoOwner: null, setUpLink, addresses: null } })
  assert.match(box, /First owner +http:\/\/localhost:3000\/admin\/setup\?token=inv_x/)
  assert.match(box, /works once, for 60 minutes/)
})

test('AD-09 the box contains the addresses that can reach the dashboard', () => {
  const dashboard = { ...summary.dashboard, addresses: ['10.0.0.0/8', '::1'] }
  assert.match(boxOf({ dashboard }), /Restricted to 10\.0\.0\.0\/8, ::1/)
})

test('without demo data the box contains no names', () => {
  const box = boxOf({ demo: null, hasPlayground: false })
  assert.ok(!box.includes('Demo') && !box.includes('Playground'))
})

test('readiness reports which part has failed, and never why', async () => {
  const works = async () => {}
  const fails = () => Promise.reject(new Error('postgres://secret'))
  assert.equal((await readiness({ ping: works, keySet: works })).status, 'ready')
  const report = await readiness({ ping: fails, keySet: works })
  assert.deepEqual(report, {
    status: 'not_ready',
    checks: { database: 'failed', keys: 'ok', accepting: 'ok' },
  })
})
