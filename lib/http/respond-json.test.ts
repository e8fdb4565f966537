import assert from 'node:assert/strict'
import { test } from 'node:test'
import { respondToken } from './respond-json.ts'

const statuses = [
  ['access_denied', 400, 'access_denied'],
  ['invalid_client', 401, 'invalid_client'],
  ['unknown_client', 400, 'invalid_client'],
  ['too_many_requests', 429, 'temporarily_unavailable'],
  ['content_too_large', 413, 'invalid_request'],
] as const

for (const [code, status, sent] of statuses) {
  test(`the token endpoint answers ${code} with the status ${status} and the code ${sent} (RFC 6749 5.2)`, () => {
    const refusal = { code, description: '', retryAfterSeconds: null }
    const reply = respondToken({ kind: 'refused', refusal })
    assert.equal(reply.status, status)
    assert.equal(JSON.parse(String(reply.body)).error, sent)
  })
}
