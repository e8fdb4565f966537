import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readiness } from './readiness.ts'
import { summaryBox } from './summary.ts'

const summary = {
  siteName: 'Latchkey',
  version: '0.1.0',
  issuer: 'http://localhost:3000',
  data: '/data/latchkey.db',
  startMs: 812,
  warnings: [],
  demo: {
    people: [{ username: 'alice', password: 'x' }],
    clients: [{ clientId: 'web', secret: null, use: 'code' }],
  },
  hasPlayground: true,
}

test('DX-01 the box names issuer, discovery, playground, demo, data and how to stop', () => {
  const box = summaryBox(summary)
  for (const word of [
    'http://localhost:3000/.well-known/openid-configuration',
    '/playground',
    'alice / x',
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
