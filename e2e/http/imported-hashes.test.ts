/** Tests passwords, secrets and tokens with hashes in the formats of other servers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import {
  importedPasswords,
  importedSecrets,
  importedTokens,
  storeTokens,
} from '../fixtures/outside/imported-hashes.ts'
import { authorize, codeRequest, delivered, newProof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import {
  alice,
  canary,
  clientSecret,
  introspectionScope,
  testConfiguration,
} from '../fixtures/server/configuration.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { app, latchkeySuite } from '../fixtures/server/suite.ts'

const imported = importedPasswords.map((row, index) => ({ ...row, username: `imported-${index}` }))

const [short, odd, umlaut] = importedSecrets
if (short === undefined || odd === undefined || umlaut === undefined) throw new Error('three secrets')
const [oldReference, oldRefresh] = importedTokens
if (oldReference === undefined || oldRefresh === undefined) throw new Error('two tokens')
const oldClients = [
  oldClient('old-sha256', [{ sha256: short.sha256 }]),
  oldClient('old-sha512', [
    { sha512: odd.sha512, expires_at: '2099-01-01T00:00:00Z' },
    { sha256: umlaut.sha256 },
  ]),
  oldClient('old-expired', [{ sha256: short.sha256, expires_at: '2020-01-01T00:00:00Z' }]),
]

function oldClient(clientId: string, secrets: readonly unknown[]) {
  return {
    client_id: clientId,
    client_secrets: secrets,
    access_token_type: 'reference',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    scope: 'api old-api',
  }
}

const latchkey = latchkeySuite({
  configuration: addresses => {
    const { users, clients, scopes, ...rest } = testConfiguration(addresses)
    return {
      ...rest,
      clients: [...clients, ...oldClients],
      scopes: [...scopes, { name: 'old-api', kind: 'resource', secrets: [{ sha512: short.sha512 }] }],
      users: [...users, ...imported.map(({ username }) => ({ username, sub: username }))],
    }
  },
  onceStarted: async server => {
    for (const { username, passwordHash } of imported) await setHash(username, passwordHash, server)
    await storeTokens(server, oldReference.identityserver3, oldRefresh.identityserver4_refresh)
  },
})

function setHash(subject: string, passwordHash: string, server = latchkey.server) {
  return onTablesOf(server, tables => tables.user.update({ where: { subject }, data: { passwordHash } }))
}

async function hashOf(subject: string): Promise<string> {
  const user = await onTablesOf(latchkey.server, tables => tables.user.findUnique({ where: { subject } }))
  return user?.passwordHash ?? ''
}

function passwordGrant(username: string, password: string) {
  return send(latchkey.issuer, '/connect/token', {
    form: { grant_type: 'password', username, password, scope: 'openid api' },
    headers: basic('password', clientSecret),
  })
}

for (const [index, { kind, username, password }] of imported.entries()) {
  const isGrant = index % 2 === 1
  const way = isGrant ? 'the password grant' : 'the sign-in page'
  test(`a user with a hash of ${kind} signs in with the old password at ${way}, and the hash is replaced`, async () => {
    const signIn = async (typed: string) => {
      if (isGrant) return (await passwordGrant(username, typed)).status === 200
      const visit = await authorize(newBrowser(latchkey.issuer), codeRequest(app, newProof()), {
        username,
        password: typed,
      })
      return visit.location !== null && delivered(visit).get('code') !== null
    }
    assert.equal(await signIn(`${password}!`), false)
    assert.match(await hashOf(username), /^\$(?:pbkdf2-|bcrypt|phpass)/)
    assert.equal(await signIn(password), true)
    const replaced = await hashOf(username)
    assert.match(replaced, /^\$argon2id\$/)
    assert.equal(await signIn(password), true)
    assert.equal(await hashOf(username), replaced)
  })
}

test('the account page accepts an imported password as the current one', async () => {
  const [{ username, password, passwordHash } = assert.fail()] = imported
  const browser = newBrowser(latchkey.issuer)
  await browser.submit(await browser.follow('/login'), { username, password })
  await setHash(username, passwordHash)
  const own = `${canary} chosen after the move`
  const change = async (current: string) =>
    browser.submit(await browser.follow('/account/password'), { current, password: own, again: own })
  assert.match((await change('wrong')).answer.text, /role="alert"/)
  assert.match(await hashOf(username), /^\$(?:pbkdf2-|bcrypt|phpass)/)
  assert.equal((await change(password)).target.split('?')[0], '/account')
  assert.match(await hashOf(username), /^\$argon2id\$/)
  assert.equal((await passwordGrant(username, password)).status, 400)
  assert.equal((await passwordGrant(username, own)).status, 200)
})

test('a damaged imported hash is a failed sign-in', async () => {
  const [, { username, password } = assert.fail()] = imported
  for (const damaged of ['$pbkdf2-sha1$i=99999999$AAAA$AAAA', '$pbkdf2-sha1$', 'APsE3LaXDkw9GHPeUf1a']) {
    await setHash(username, damaged)
    const answer = await passwordGrant(username, password)
    assert.deepEqual([answer.status, answer.json().error], [400, 'invalid_grant'], damaged)
  }
})

function machine(clientId: string, secret: string, way: 'basic' | 'post' = 'basic') {
  const form = { grant_type: 'client_credentials', scope: 'old-api' }
  return send(latchkey.issuer, '/connect/token', {
    form: way === 'basic' ? form : { ...form, client_id: clientId, client_secret: secret },
    headers: way === 'basic' ? basic(clientId, secret) : {},
  })
}

for (const way of ['basic', 'post'] as const) {
  test(`TK-05 clients authenticate with old secrets of which only the hash is known, by ${way}`, async () => {
    for (const [clientId, secret] of [
      ['old-sha256', short.secret],
      ['old-sha512', odd.secret],
      ['old-sha512', umlaut.secret],
    ] as const) {
      assert.equal((await machine(clientId, secret, way)).status, 200, `${clientId} ${secret}`)
    }
    for (const [clientId, secret] of [
      ['old-sha256', odd.secret],
      ['old-sha256', short.sha256],
      ['old-sha256', ''],
      ['old-expired', short.secret],
    ] as const) {
      const answer = await machine(clientId, secret, way)
      assert.deepEqual([answer.status, answer.json().error], [401, 'invalid_client'], `${clientId} ${secret}`)
    }
  })
}

test('an API introspects and a client revokes with old secrets of which only the hash is known', async () => {
  const token = String((await machine('old-sha256', short.secret)).json().access_token)
  const introspect = async (secret: string) =>
    send(latchkey.issuer, '/connect/introspect', { form: { token }, headers: basic('old-api', secret) })
  assert.equal((await introspect(short.secret)).json().active, true)
  assert.equal((await introspect('wrong')).status, 401)
  const headers = basic('old-sha256', short.secret)
  assert.equal((await send(latchkey.issuer, '/connect/revocation', { form: { token }, headers })).status, 200)
  assert.equal((await introspect(short.secret)).json().active, false)
})

test('an API introspects an old reference token, and validates it without a secret', async () => {
  const { token } = oldReference
  const form = { token }
  const { name, secret } = introspectionScope
  const introspect = async () =>
    (await send(latchkey.issuer, '/connect/introspect', { form, headers: basic(name, secret) })).json()
  const described = await introspect()
  assert.deepEqual([described.active, described.sub, described.scope], [true, alice.sub, 'api'])
  const validated = await send(latchkey.issuer, withQuery('/connect/accesstokenvalidation', { token }))
  assert.deepEqual([validated.status, validated.json().scope], [200, ['openid', 'api']])
  assert.equal(
    (await send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })).json().sub,
    alice.sub,
  )
  const unknown = await send(latchkey.issuer, '/connect/accesstokenvalidation', {
    form: { token: oldRefresh.token },
  })
  assert.equal(unknown.status, 400)
  const headers = basic('trusted', clientSecret)
  assert.equal((await send(latchkey.issuer, '/connect/revocation', { form, headers })).status, 200)
  assert.deepEqual(await introspect(), { active: false })
})

test('RT-02 an old refresh token is refreshed once, into tokens of this server', async () => {
  const refresh = (value: string, clientId = 'trusted') =>
    send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'refresh_token', refresh_token: value },
      headers: basic(clientId, clientSecret),
    })
  assert.equal((await refresh(oldRefresh.token, 'other')).status, 400)
  const first = await refresh(oldRefresh.token)
  assert.equal(first.status, 200, first.text)
  const successor = String(first.json().refresh_token)
  assert.match(successor, /^rt_/)
  const headers = bearer(String(first.json().access_token))
  assert.equal((await send(latchkey.issuer, '/connect/userinfo', { headers })).json().sub, alice.sub)
  const second = await refresh(successor)
  assert.equal(second.status, 200)
  assert.equal((await refresh(oldRefresh.token)).json().error, 'invalid_grant')
  assert.equal((await refresh(String(second.json().refresh_token))).status, 400, 'RT-03')
})

test('AD-05 the dashboard shows in which form secrets are stored, and not their hashes', async () => {
  const owner = await openAdmin(latchkey.server)
  const pages = [
    ['/admin/clients/old-sha256/secrets', /SHA-256 hash/],
    ['/admin/clients/old-sha512/secrets', /SHA-512 hash/],
    ['/admin/clients/machine-chosen/secrets', /Argon2id hash/],
    ['/admin/scopes/old-api/secrets', /SHA-512 hash/],
  ] as const
  for (const [path, form] of pages) {
    const { text } = await owner.get(path)
    assert.match(text, form, path)
    for (const { sha256, sha512 } of importedSecrets) {
      for (const hash of [sha256, sha512]) {
        assert.ok(!text.includes(hash), path)
        assert.ok(!text.includes(Buffer.from(hash, 'base64').toString('base64url')), path)
      }
    }
  }
})
