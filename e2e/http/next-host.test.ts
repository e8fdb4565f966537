/** The same route files under plain `next start`. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testConfiguration } from '../fixtures/configuration.ts'
import { freePort } from '../fixtures/free-port.ts'
import { send } from '../fixtures/http-client.ts'
import { type Latchkey, newMasterKey, startUnderNext } from '../fixtures/latchkey.ts'
import { app } from '../fixtures/suite.ts'

const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-next-'))
const options = {
  configuration: testConfiguration({ app }),
  dataDirectory,
  environment: { ISSUER: 'https://id.example.org', MASTER_KEY: newMasterKey() },
}
let next: Latchkey

before(async () => {
  next = await startUnderNext({ ...options, port: await freePort() })
})
after(async () => {
  await next.stop()
  await rm(dataDirectory, { recursive: true, force: true })
})

describe('WF-02 a page uses a nonce of this server, whatever headers a client sends', () => {
  const attempts: readonly Record<string, string>[] = [
    {},
    { 'content-security-policy': "script-src 'nonce-attacker'" },
    { 'x-latchkey-host': '1' },
    { 'x-latchkey-host': '%01' },
    { 'x-latchkey-reference': 'AAAA-AAAA', 'x-latchkey-address': '127.0.0.1' },
  ]
  for (const headers of attempts) {
    test(`WF-02 the proxy acts on a request with ${JSON.stringify(headers)}`, async () => {
      for (const path of ['/login', '/nowhere', '/account']) {
        const answer = await send(next.origin, path, { headers })
        const policy = String(answer.headers['content-security-policy'])
        assert.match(policy, /^default-src 'none'; /, path)
        assert.match(String(answer.headers['strict-transport-security']), /^max-age=\d{8}/, path)
        assert.ok(!answer.text.includes('attacker'), path)
        const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? []
        if (answer.status < 300 || answer.status >= 400) {
          assert.match(String(nonce), /^[A-Za-z0-9+/]{22}==$/, path)
          assert.ok(answer.text.includes(`nonce="${nonce}"`), path)
        }
      }
    })
  }
})

test('WF-02 a request cannot contain the host mark of the server', async () => {
  const socket = connect({ host: 'localhost', port: Number(new URL(next.origin).port) })
  socket.end('GET /login HTTP/1.1\r\nHost: localhost\r\nx-latchkey-host: \u0001\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 /)
  socket.destroy()
})
