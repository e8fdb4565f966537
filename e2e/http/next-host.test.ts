/** Tests plain `next start`: responses have the security headers, and pages of the dashboard fail. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { send } from '../fixtures/requests/http-client.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, newMasterKey, startUnderNext } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-next-'))
let next: Latchkey

before(async () => {
  next = await startUnderNext({
    configuration: testConfiguration({ app }),
    dataDirectory,
    environment: { ISSUER: 'https://id.example.org', MASTER_KEY: newMasterKey() },
    port: await freePort(),
  })
})
after(async () => {
  await next.stop()
  await rm(dataDirectory, { recursive: true, force: true })
})

for (const path of ['/login', '/nowhere', '/account', '/.well-known/openid-configuration']) {
  test(`WF-01 ${path} has the security headers under plain next start`, async () => {
    const { headers } = await send(next.origin, path, {
      headers: {
        'content-security-policy': "script-src 'nonce-attacker'",
        'x-latchkey-reference': 'AAAA-AAAA',
      },
    })
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; /)
    assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/)
    assert.notEqual(headers['x-reference-id'], 'AAAA-AAAA')
  })
}

test('a page of the dashboard is a failure without content under plain next start', async () => {
  const attempts: readonly Record<string, string>[] = [{}, { 'x-latchkey-reference': 'AAAA-AAAA' }]
  for (const headers of attempts) {
    const answer = await send(next.origin, '/admin/users', { headers })
    assert.equal(answer.status, 500)
    assert.doesNotMatch(answer.text, /<form|<table|alice/)
  }
})
