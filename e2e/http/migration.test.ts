/**
 * Tests a move from IdentityServer3: an export is imported into a running server, and clients, an API and users continue
 * with their secrets, passwords, consents and tokens. The tests of the clients depend on that of the import.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import {
  activationGrant,
  aspNetUser,
  identityServer3Export,
  membershipRebootUser,
  oldRefreshToken,
  oldSecret,
} from '../fixtures/outside/identityserver3-export.ts'
import { middlewareOf2016 } from '../fixtures/outside/identityserver3-middleware.ts'
import { authorize, delivered, type Parameters } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode } from '../fixtures/requests/jwt.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

const root = resolve(import.meta.dirname, '../..')

/** A new server, for which the operator has written the custom grant of the old one. */
const latchkey = latchkeySuite({
  configuration: () => ({}),
  environment: { LATCHKEY_EXTENSIONS: join(root, 'examples/extensions/custom-grant.ts') },
})

/** Runs `npm run import -- identityserver3 <file> …` as the operator does. */
async function importExport(...options: readonly string[]) {
  const file = join(latchkey.server.dataDirectory, 'export.json')
  await writeFile(file, JSON.stringify(identityServer3Export))
  const child = spawn('npm', ['run', '--silent', 'import', '--', 'identityserver3', file, ...options], {
    cwd: root,
    env: latchkey.server.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number | null>(done => child.once('close', done))
  return { code, output }
}

/** Requests a token with the client's secret, which the import has kept. */
async function tokenFor(clientId: string, form: Parameters) {
  const answer = await send(latchkey.issuer, '/connect/token', { form, headers: basic(clientId, oldSecret) })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

type User = { readonly username: string; readonly password: string; readonly sub: string }

/** Sends the client's authorization request, and signs in with the password that the import has kept. */
async function signIn(user: User, parameters: Parameters) {
  return delivered(await authorize(newBrowser(latchkey.issuer), parameters, user))
}

/** Runs the code flow of the client `mvc`, which does not support PKCE. */
async function codeFlow(user: User) {
  const redirect = { redirect_uri: 'https://mvc.example/signin-oidc' }
  const code = (
    await signIn(user, {
      ...redirect,
      client_id: 'mvc',
      response_type: 'code',
      scope: 'openid profile orders offline_access',
    })
  ).get('code')
  return tokenFor('mvc', { ...redirect, grant_type: 'authorization_code', code: code ?? '' })
}

async function passwordHashOf({ sub }: User): Promise<string> {
  const where = { subject: sub }
  const row = await onTablesOf(latchkey.server, tables => tables.user.findUnique({ where }))
  return row?.passwordHash ?? ''
}

describe('a move from IdentityServer3', () => {
  test('a dry run reports what would be taken over, and writes nothing', async () => {
    const { code, output } = await importExport('--dry-run')
    assert.equal(code, 0, output)
    assert.match(output, /clients +5 +0/)
    assert.match(output, /users +2 +0/)
    const unknown = await send(latchkey.issuer, '/connect/token', {
      form: { grant_type: 'client_credentials', scope: 'orders' },
      headers: basic('nightly', oldSecret),
    })
    assert.equal(unknown.json().error, 'invalid_client')
  })

  test('the import runs while the server does', async () => {
    const { code, output } = await importExport('--yes')
    assert.equal(code, 0, output)
    assert.match(output, /Imported\./)
  })

  test('implicit client: a user of ASP.NET Identity signs in, and the API verifies the access token', async () => {
    assert.match(await passwordHashOf(aspNetUser), /^\$pbkdf2-sha256\$/)
    const response = await signIn(aspNetUser, {
      client_id: 'spa',
      redirect_uri: 'https://spa.example/callback',
      response_type: 'id_token token',
      scope: 'openid profile orders',
      nonce: 'n',
    })
    const idToken = decode(response.get('id_token') ?? '').payload
    assert.deepEqual([idToken.sub, idToken.nonce, idToken.aud], [aspNetUser.sub, 'n', 'spa'])
    assert.deepEqual([idToken.amr, idToken.idp], [['password'], 'idsrv'])
    const claims = await middlewareOf2016(latchkey, response.get('access_token') ?? '')
    assert.deepEqual(claims.scope, ['openid', 'profile', 'orders'])
    assert.deepEqual([claims.sub, claims.client_id], [aspNetUser.sub, 'spa'])
    assert.equal(claims.email, 'alice@example.com', 'the scope orders asks for it')
    assert.match(await passwordHashOf(aspNetUser), /^\$argon2id\$/)
  })

  test('authorization code client: a user of MembershipReboot signs in and gives consent', async () => {
    assert.match(await passwordHashOf(membershipRebootUser), /^\$pbkdf2-/)
    const tokens = await codeFlow(membershipRebootUser)
    const claims = await middlewareOf2016(latchkey, String(tokens.access_token))
    assert.equal(claims.sub, membershipRebootUser.sub)
    assert.match(await passwordHashOf(membershipRebootUser), /^\$argon2id\$/)
    const again = await tokenFor('mvc', {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.refresh_token),
    })
    assert.equal(decode(String(again.access_token)).payload.sub, membershipRebootUser.sub)
  })

  test('consents moved: a user who allowed a client is not asked again', async () => {
    const browser = newBrowser(latchkey.issuer)
    await browser.submit(await browser.follow('/login'), aspNetUser)
    const silent = await authorize(browser, {
      client_id: 'mvc',
      redirect_uri: 'https://mvc.example/signin-oidc',
      response_type: 'code',
      scope: 'openid profile orders',
      prompt: 'none',
    })
    assert.notEqual(delivered(silent).get('code'), null)
  })

  test('a refresh token of the old server works', async () => {
    const tokens = await tokenFor('mvc', { grant_type: 'refresh_token', refresh_token: oldRefreshToken })
    const claims = await middlewareOf2016(latchkey, String(tokens.access_token))
    assert.deepEqual([claims.sub, claims.scope], [aspNetUser.sub, ['openid', 'orders', 'offline_access']])
  })

  test('a client gets a token of a user of MembershipReboot by the password grant', async () => {
    const { username, password } = membershipRebootUser
    const tokens = await tokenFor('desktop', {
      grant_type: 'password',
      username,
      password,
      scope: 'openid orders',
    })
    const claims = await middlewareOf2016(latchkey, String(tokens.access_token))
    assert.deepEqual([claims.sub, claims.amr, claims.idp], [membershipRebootUser.sub, ['password'], 'idsrv'])
    const headers = bearer(String(tokens.access_token))
    const userinfo = await send(latchkey.issuer, '/connect/userinfo', { headers })
    assert.equal(userinfo.json().sub, membershipRebootUser.sub)
  })

  test('client credentials client: the token has six claims and jti, and no sub', async () => {
    const tokens = await tokenFor('nightly', { grant_type: 'client_credentials', scope: 'orders stock' })
    const claims = await middlewareOf2016(latchkey, String(tokens.access_token))
    assert.deepEqual(Object.keys(claims).toSorted(), [
      'aud',
      'client_id',
      'exp',
      'iss',
      'jti',
      'nbf',
      'scope',
    ])
    assert.deepEqual(claims.scope, ['orders', 'stock'])
  })

  test('custom grant client: the API validates its reference token at both endpoints', async () => {
    const tokens = await tokenFor('kiosk', {
      grant_type: activationGrant,
      activation_code: 'LAMP-1234',
      scope: 'orders',
    })
    const token = String(tokens.access_token)
    const address = withQuery('/connect/accesstokenvalidation', { token, expectedScope: 'orders' })
    const validated = await send(latchkey.issuer, address)
    assert.equal(validated.status, 200, validated.text)
    const { sub, client_id: clientId, scope, aud } = validated.json()
    assert.deepEqual([sub, clientId, scope], ['alice', 'kiosk', 'orders'])
    assert.equal(aud, `${latchkey.issuer}/resources`)
    const headers = basic('orders', oldSecret)
    const introspected = await send(latchkey.issuer, '/connect/introspect', { form: { token }, headers })
    assert.deepEqual([introspected.json().active, introspected.json().scope], [true, 'orders'])
  })

  test('a second import changes nothing', async () => {
    const before = await Promise.all([aspNetUser, membershipRebootUser].map(passwordHashOf))
    const { code, output } = await importExport('--yes')
    assert.equal(code, 0, output)
    assert.match(output, /Nothing to import/)
    assert.deepEqual(await Promise.all([aspNetUser, membershipRebootUser].map(passwordHashOf)), before)
    assert.equal(decode(String((await codeFlow(aspNetUser)).access_token)).payload.sub, aspNetUser.sub)
  })
})
