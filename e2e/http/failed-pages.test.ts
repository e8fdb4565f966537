/**
 * Tests that the playground is not found at a public issuer, and that hosted pages have no framework script and not the
 * framework's own format.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertReadable } from '../fixtures/browser/readable-page.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { secureLatchkey, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const secure = secureLatchkey()

test('CF-02 the playground is not found unless the issuer is a loopback address', async () => {
  for (const path of ['/playground', '/playground/result', '/playground/callback']) {
    const answer = await send(secure.server.origin, path)
    assert.equal(answer.status, 404, path)
    assertReadable(answer)
  }
})

describe('UXC-24 hosted pages contain no framework script', () => {
  for (const path of [
    '/',
    '/login',
    '/login/providers',
    '/logout/done',
    '/playground',
    '/nowhere',
    '/nowhere.css',
  ]) {
    test(`UXC-24 ${path} contains no framework script`, async () => {
      const answer = await send(latchkey.issuer, path, { headers: { 'accept-encoding': 'gzip' } })
      assert.doesNotMatch(answer.text, /_next\/[^"]*\.js|__next_f/)
      assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)))
      assert.ok(answer.text.length < 12_000, `${answer.text.length}`)
    })
  }
})

describe('FW-01 pages cannot be requested in the framework’s own format', () => {
  for (const path of ['/login', '/account', '/login?_rsc=x', '/account?_rsc=x']) {
    test(`FW-01 ${path} is HTML only`, async () => {
      const headers = {
        rsc: '1',
        'next-router-state-tree': '%5B%5D',
        'next-router-segment-prefetch': '/_tree',
      }
      const [plain, asked] = [
        await send(latchkey.issuer, path),
        await send(latchkey.issuer, path, { headers }),
      ]
      assert.equal(asked.status, plain.status)
      assert.doesNotMatch(String(asked.headers['content-type']), /x-component/)
      assert.equal(asked.headers.location, plain.headers.location)
    })
  }
})
