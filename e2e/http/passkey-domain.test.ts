/** Tests the well-known addresses of passkeys, and a start under another domain. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { send } from '../fixtures/requests/http-client.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const path = '/.well-known/webauthn'

describe('a server with related origins', () => {
  const latchkey = latchkeySuite({ environment: { WEBAUTHN_RELATED_ORIGINS: 'https://login.example.org' } })
  test('MF-05 related origins are listed for browsers', async () => {
    const answer = await send(latchkey.issuer, path)
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
    assert.deepEqual(answer.json(), { origins: ['https://login.example.org'] })
  })
})

describe('a server without related origins', () => {
  const latchkey = latchkeySuite()
  test('MF-05 without related origins their address does not exist', async () => {
    assert.equal((await send(latchkey.issuer, path)).status, 404)
  })
})
