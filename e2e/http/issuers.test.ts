/** Tests that unusual issuers that the server accepts work, including the dashboard and its sign-in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, openAdmin } from '../fixtures/dashboard/administrator.ts'
import { send } from '../fixtures/requests/http-client.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { logged, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const insecure = { LATCHKEY_INSECURE_HTTP: 'true', MASTER_KEY: newMasterKey() }
const issuers: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ['127.0.0.2', {}],
  ['login.example.org', insecure],
]

for (const [host, environment] of issuers) {
  test(`CF-01 a start with the issuer http://${host}`, async context => {
    const port = await freePort()
    const issuer = `http://${host}:${port}`
    const server = await startLatchkey({
      port,
      configuration: testConfiguration({ app }),
      environment: { ...environment, ISSUER: issuer },
    })
    context.after(() => server.stop())
    const { json } = await send(issuer, '/.well-known/openid-configuration')
    assert.equal(json().issuer, issuer)
    await openAdmin(server)
    if (environment === insecure) await logged(server, 'For development only.')
    const { browser } = await enter(server)
    assert.equal((await browser.get('/admin')).status, 200)
  })
}

test('CF-02 the demo starts on a subdomain of localhost', async context => {
  const port = await freePort()
  const issuer = `http://auth.localhost:${port}`
  const server = await startLatchkey({ port, environment: { ISSUER: issuer } })
  context.after(() => server.stop())
  assert.equal((await send(issuer, '/playground')).status, 200)
})
