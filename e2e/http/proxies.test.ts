/** Tests the configurations of docs/proxies.md in the real proxies: each passes on what the server sends and accepts. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { proxyNames, type RunningProxy, reasonAgainst, startProxy } from '../fixtures/outside/proxies.ts'
import { authorize, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, reachAt, send } from '../fixtures/requests/http-client.ts'
import { alice, testConfiguration } from '../fixtures/server/configuration.ts'
import { freePort } from '../fixtures/server/free-port.ts'
import { type Latchkey, logged, newMasterKey, startLatchkey } from '../fixtures/server/latchkey.ts'
import { app } from '../fixtures/server/suite.ts'

const issuer = 'https://login.example.com'
/** The address from which requests are sent, which differs from the address of the proxy. */
const caller = '127.0.0.2'
/** Claims that are nearly as large as a user's claims may be. */
const groups = Array.from({ length: 150 }, (_, index) => `department-${index}-members-with-access`)

let server: Latchkey
let port: number
before(async () => {
  port = await freePort()
  server = await startLatchkey({
    port,
    host: '127.0.0.1',
    configuration: configurationWithGroups(),
    environment: { ISSUER: issuer, MASTER_KEY: newMasterKey(), TRUST_PROXY: '127.0.0.1' },
  })
})
after(() => server.stop())

function configurationWithGroups() {
  const { scopes, users, ...rest } = testConfiguration({ app })
  return {
    ...rest,
    scopes: scopes.map(scope => (scope.name === 'api' ? { ...scope, claims: ['groups'] } : scope)),
    users: users.map(user =>
      user.username === alice.username ? { ...user, claims: { ...user.claims, groups } } : user,
    ),
  }
}

for (const name of proxyNames) {
  describe(`through ${name} with the configuration of the documents`, {
    skip: await reasonAgainst(name),
  }, () => {
    let proxy: RunningProxy
    before(async () => {
      proxy = await startProxy(name, port)
      reachAt(issuer, { ...proxy, localAddress: caller })
    })
    after(() => proxy.stop())

    test('a user signs in, and the client exchanges its code', async () => {
      const tokens = await obtainTokens(issuer, app, { client_id: 'trusted' }, newBrowser(issuer))
      assert.ok(tokens.access_token.length > 100)
    })

    test('a redirect of more than 8 kB arrives, with tokens in its fragment', async () => {
      const request = {
        client_id: 'spa',
        redirect_uri: `${app}/callback`,
        nonce: 'n',
        state: 's'.repeat(500),
      }
      const { location } = await authorize(newBrowser(issuer), {
        ...request,
        response_type: 'id_token token',
        scope: 'openid api',
      })
      assert.ok(location !== null && location.href.length > 8192, `${location?.href.length}`)
      assert.match(location.hash, /access_token=.*token_type=Bearer/)
    })

    test('the longest query arrives', async () => {
      const manual = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
      const queryCharacters = Number(/`queryCharacters` \| (\d+) \|/.exec(manual)?.[1])
      assert.ok(queryCharacters > 15_000)
      const path = '/connect/endsession?'
      const target = `${path}id_token_hint=`.padEnd(path.length + queryCharacters, 'x')
      const { status, headers } = await newBrowser(issuer).get(target)
      assert.ok(status < 500 && status !== 414 && status !== 431, String(status))
      assert.notEqual(headers['x-reference-id'], undefined, 'the proxy answered by itself')
    })

    test('an encoded slash in a path arrives as it was sent', async () => {
      const { status, headers } = await send(issuer, '/api/admin/clients/a%2Fb')
      assert.equal(status, 401)
      assert.notEqual(headers['x-reference-id'], undefined)
    })

    test('the address of the caller counts, and not one that the caller invents', async () => {
      const from = server.output().length
      const headers = { ...basic('machine', 'wrong'), 'x-forwarded-for': '203.0.113.9' }
      const form = { grant_type: 'client_credentials', scope: 'api' }
      const { status, headers: sent } = await send(issuer, '/connect/token', { form, headers })
      assert.equal(status, 401)
      const line = await logged(server, String(sent['x-reference-id']), from)
      assert.match(line, new RegExp(`"address":"${caller.replaceAll('.', '\\.')}"`))
    })
  })
}
