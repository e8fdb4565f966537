/**
 * Tests that Next is loaded by the first request for the dashboard, and not by requests for other addresses; and how the server
 * itself answers addresses with empty segments and files that a browser has.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeRequest, machineToken, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { send, withQuery } from '../fixtures/requests/http-client.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, logged, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

let latchkey: Latchkey
before(async () => {
  latchkey = await startLatchkey({ port: await freePort(), configuration: testConfiguration({ app }) })
})
after(() => latchkey.stop())

test('tokens, hosted pages, their files, and addresses that do not exist are answered without Next', async () => {
  await machineToken(latchkey.issuer)
  const browser = newBrowser(latchkey.issuer)
  const { answer } = await browser.follow(withQuery('/connect/authorize', codeRequest(app, newProof())))
  assert.equal(answer.status, 200)
  const table = [
    ['/', 200],
    ['/enhance.js', 200],
    ['/favicon.svg', 200],
    ['/robots.txt', 200],
    ['/nowhere', 404],
    ['/login/', 308],
    ['/a//b?x=1', 308],
    ['/_next/image', 404],
    ['/_next/static/nowhere.js', 404],
  ] as const
  for (const [path, status] of table) assert.equal((await send(latchkey.issuer, path)).status, status, path)
  await logged(latchkey, '"pattern":"(refused)","status":404')
  assert.doesNotMatch(latchkey.output(), /dashboard_loaded/)
})

test('two first requests for the dashboard at the same time load it once', async () => {
  const answers = await Promise.all([send(latchkey.issuer, '/admin'), send(latchkey.issuer, '/admin/users')])
  for (const { status, headers } of answers) {
    assert.equal(status, 307)
    assert.match(headers.location ?? '', /^\/admin\//)
  }
  assert.match(await logged(latchkey, 'dashboard_loaded'), /"durationMs":\d+/)
  assert.equal(latchkey.output().split('dashboard_loaded').length, 2)
})

test('RFC 9110 15.4.9 an address with empty segments leads to the one without, on this origin', async () => {
  for (const [target, location] of [
    ['/login/?ui_locales=de', '/login?ui_locales=de'],
    ['/connect//token', '/connect/token'],
    ['/x///evil.test//', '/x/evil.test'],
    ['/admin/', '/admin'],
  ] as const) {
    const { status, headers } = await send(latchkey.issuer, target)
    assert.deepEqual([status, headers.location], [308, location])
  }
  const post = await send(latchkey.issuer, '/login/', { method: 'POST' })
  assert.deepEqual([post.status, post.headers.location], [308, '/login'])
})

test('a file that a browser has is not sent again', async () => {
  const first = await send(latchkey.issuer, '/enhance.js', { headers: { 'accept-encoding': 'identity' } })
  assert.equal(first.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(first.headers['cache-control'], 'public, max-age=0')
  const again = await send(latchkey.issuer, '/enhance.js', {
    headers: { 'if-none-match': String(first.headers.etag) },
  })
  assert.deepEqual([again.status, again.text], [304, ''])
})
