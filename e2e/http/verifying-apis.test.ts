/** Tests APIs that verify tokens with the middleware of IdentityServer3, with current libraries, and with Apache. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'
import { openAdmin } from '../fixtures/dashboard/administrator.ts'
import { isApacheInstalled, startApache, type Verification } from '../fixtures/outside/apache.ts'
import {
  middlewareOf2015,
  middlewareOf2016,
  middlewareWithFile,
} from '../fixtures/outside/identityserver3-middleware.ts'
import { fetchSoftware, type Software } from '../fixtures/outside/outside-software.ts'
import { machineToken, obtainTokens } from '../fixtures/requests/code-flow.ts'
import { basic, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode, forge } from '../fixtures/requests/jwt.ts'
import { alice, introspectionScope } from '../fixtures/server/configuration.ts'
import { app, latchkeySuite, type Suite } from '../fixtures/server/suite.ts'
import { startTlsFront } from '../fixtures/server/tls-front.ts'

const standard = latchkeySuite()
const certificates = join(import.meta.dirname, '../../lib/crypto/testing/certificates')
/** A server that replaced an IdentityServer3, whose signing certificate it uses. */
const older = latchkeySuite({
  environment: {
    LATCHKEY_ACCESS_TOKEN_FORMAT: 'identityserver3',
    LATCHKEY_KEY_CERTIFICATES: 'true',
    LATCHKEY_SIGNING_CERTIFICATE: join(certificates, 'legacy.pfx'),
    LATCHKEY_SIGNING_CERTIFICATE_PASSWORD: 'idsrv3test',
  },
})
/** A server with its own keys, and certificates for them. */
const selfSigned = latchkeySuite({
  environment: { LATCHKEY_ACCESS_TOKEN_FORMAT: 'identityserver3', LATCHKEY_KEY_CERTIFICATES: 'true' },
})

describe('the API middleware of IdentityServer3', () => {
  test('imports every published key as RSA, and verifies the tokens of users and of clients', async () => {
    const ofUser = await middlewareOf2016(older, (await obtainTokens(older.issuer, app)).access_token)
    assert.deepEqual([ofUser.sub, ofUser.idp, ofUser.amr], [alice.sub, 'idsrv', ['password']])
    assert.ok(Array.isArray(ofUser.scope))
    const ofMachine = await middlewareOf2016(older, await machineToken(older.issuer, 'machine', 'api read'))
    assert.deepEqual(ofMachine.scope, ['api', 'read'])
    assert.ok(!('sub' in ofMachine), 'by which APIs distinguish clients from users')
  })
  for (const [keys, suite] of [
    ['the operator’s certificate', older],
    ['self-signed certificates', selfSigned],
  ] as const) {
    test(`reads the certificate of every published key, and verifies with it: ${keys}`, async () => {
      const token = await machineToken(suite.issuer, 'machine', 'api read')
      assert.deepEqual((await middlewareOf2015(suite, token)).scope, ['api', 'read'])
      assert.deepEqual((await middlewareOf2016(suite, token)).scope, ['api', 'read'])
    })
  }
  test('has tokens with the kid and x5t of the old server’s certificate, which an API may have as a file', async () => {
    const certificate = new X509Certificate(readFileSync(join(certificates, 'cert.pem')))
    const thumbprint = Buffer.from(certificate.fingerprint.replaceAll(':', ''), 'hex').toString('base64url')
    const token = await machineToken(older.issuer)
    const { kid, x5t } = decode(token).header
    assert.deepEqual([kid, x5t], [thumbprint, thumbprint])
    assert.equal(middlewareWithFile(older, token, certificate).client_id, 'machine')
  })
  test('accepts a JWT of the old server until it ends, as do the validation endpoints if its user may sign in', async () => {
    const { keys } = (await send(older.issuer, '/.well-known/jwks')).json()
    const { kid } = z.array(z.object({ x5t: z.string(), kid: z.string() })).parse(keys)[0] ?? { kid: '' }
    const oldKey = createPrivateKey(readFileSync(join(certificates, 'plain.pem')))
    const now = Math.floor(Date.now() / 1000)
    const oldToken = (changes: object) => {
      const { issuer: iss } = older
      const ends = { exp: now + 3600, nbf: now }
      const payload = {
        iss,
        aud: `${iss}/resources`,
        ...ends,
        client_id: 'trusted',
        scope: ['openid', 'api'],
      }
      return forge(
        { header: { typ: 'JWT', alg: 'RS256', x5t: kid, kid }, payload: { ...payload, ...changes } },
        oldKey,
      )
    }
    const isAccepted = async (changes: object) => {
      const token = oldToken(changes)
      await middlewareOf2016(older, token)
      const validation = await send(older.issuer, withQuery('/connect/accesstokenvalidation', { token }))
      const { name, secret } = introspectionScope
      const headers = basic(name, secret)
      const introspection = await send(older.issuer, '/connect/introspect', { form: { token }, headers })
      assert.equal(introspection.json().active, validation.status === 200)
      return validation.status === 200
    }
    assert.equal(await isAccepted({}), true, 'of a client')
    assert.equal(await isAccepted({ sub: alice.sub }), true)
    assert.equal(await isAccepted({ sub: 'mallory-0003' }), false, 'a locked user')
    assert.equal(await isAccepted({ sub: 'unknown' }), false)
    const owner = await openAdmin(older.server)
    await owner.submit('grants.end_sessions_of_user', { sub: alice.sub })
    assert.equal(await isAccepted({ sub: alice.sub }), false, 'signed out everywhere')
    assert.equal(await isAccepted({}), true, 'of a client')
  })
  test('would fail at a key set with other keys, and at the standard typ', async () => {
    const token = await machineToken(standard.issuer)
    await assert.rejects(middlewareOf2016(standard, token), /DecodeBytes/)
    assert.equal(decode(token).header.typ, 'at+jwt')
  })
})

describe('jose', () => {
  const verifyAt = async ({ issuer }: Suite, token: string, typ: string) => {
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`))
    return (await jwtVerify(token, keys, { issuer, audience: `${issuer}/resources`, typ })).payload
  }
  test('verifies the tokens of both formats', async () => {
    const [plain, old] = await Promise.all(
      [standard, older].map(({ issuer }) => machineToken(issuer, 'machine', 'api read')),
    )
    assert.equal((await verifyAt(standard, String(plain), 'at+jwt')).scope, 'api read')
    assert.deepEqual((await verifyAt(older, String(old), 'JWT')).scope, ['api', 'read'])
  })
})

describe('express-oauth2-jwt-bearer', () => {
  const middleware: Software = { registry: 'npm', name: 'express-oauth2-jwt-bearer', version: '1.10.0' }
  type Handler = (request: object, response: object, next: (error?: unknown) => void) => void
  type Library = { readonly auth: (options: object) => Handler }

  for (const [name, suite, strict] of [
    ['RFC 9068, strictly,', standard, true],
    ['IdentityServer3', older, false],
  ] as const) {
    test(`accepts a token in the format of ${name}`, async t => {
      const fetched = await fetchSoftware(middleware)
      if ('missing' in fetched) return t.skip(fetched.missing)
      const { auth }: Library = createRequire(join(fetched.folder, 'package.json'))(middleware.name)
      const { issuer } = suite
      const handler = auth({ issuerBaseURL: issuer, audience: `${issuer}/resources`, strict })
      const token = (await obtainTokens(issuer, app)).access_token
      const headers: Record<string, string> = { host: 'api.example', authorization: `Bearer ${token}` }
      const get = (name: string) => headers[name.toLowerCase()]
      const address = { method: 'GET', protocol: 'http', url: '/', originalUrl: '/', query: {} }
      const request = { ...address, headers, get, is: () => false }
      const error = await new Promise(resolve => handler(request, {}, resolve))
      assert.equal(error, undefined)
      const { auth: verified } = z
        .object({ auth: z.object({ payload: z.record(z.string(), z.unknown()) }) })
        .parse(request)
      assert.equal(verified.payload.sub, alice.sub)
    })
  }
})

describe('Java', () => {
  const spring: Software = {
    registry: 'maven',
    name: 'spring-security',
    version: '6.4.4',
    artifacts: [
      'org.springframework.security:spring-security-oauth2-resource-server:6.4.4',
      'org.springframework.security:spring-security-oauth2-jose:6.4.4',
      'org.springframework:spring-web:6.2.5',
      'com.fasterxml.jackson.core:jackson-databind:2.18.3',
    ],
  }
  for (const [library, title, suite] of [
    [
      'spring',
      'Spring Security’s resource server verifies the IdentityServer3 format without a setting',
      older,
    ],
    ['nimbus', 'Nimbus verifies the format of RFC 9068, strict about typ and scope', standard],
  ] as const) {
    test(title, async t => {
      const fetched = await fetchSoftware(spring)
      if ('missing' in fetched) return t.skip(fetched.missing)
      const source = join(import.meta.dirname, '../fixtures/outside/VerifyTokens.java')
      const token = await machineToken(suite.issuer, 'machine', 'api read')
      const given = ['-cp', join(fetched.folder, 'lib/*'), source, library, suite.issuer, token]
      const { stdout } = await promisify(execFile)('java', given, { timeout: 120_000 })
      assert.equal(stdout.trim().split('\n').at(-1), 'api read')
    })
  }
})

describe('mod_auth_openidc', () => {
  const keySet = '/.well-known/jwks'
  const introspection = '/connect/introspect'

  /** Starts an API. Returns a function that sends it a token and returns its status. */
  async function apiWith(t: TestContext, verification: Verification) {
    const api = await startApache(verification)
    t.after(api.stop)
    return async (sent: string) =>
      (await fetch(api.origin, { headers: { authorization: `Bearer ${sent}` } })).status
  }
  async function frontOf(t: TestContext, { issuer }: Suite) {
    const front = await startTlsFront(issuer)
    t.after(front.stop)
    return front
  }

  test('with the certificate of the server as a file, accepts its tokens with the scope', async t => {
    if (!isApacheInstalled) return t.skip(noApache)
    const token = await machineToken(older.issuer, 'machine', 'api read')
    const certificate = readFileSync(join(certificates, 'cert.pem'), 'utf8')
    const answerTo = await apiWith(t, {
      by: 'certificate',
      kid: String(decode(token).header.kid),
      certificate,
    })
    assert.equal(await answerTo(token), 200)
    assert.equal(await answerTo(await machineToken(older.issuer, 'machine', 'read')), 401)
    assert.equal(await answerTo(`${token.slice(0, -4)}AAAA`), 401)
  })

  for (const [name, suite] of [
    ['the operator’s certificate', older],
    ['self-signed certificates', selfSigned],
  ] as const)
    test(`reads the key set, and accepts tokens with the scope: ${name}`, async t => {
      if (!isApacheInstalled) return t.skip(noApache)
      const front = await frontOf(t, suite)
      const { origin, certificate: authority, paths } = front
      const answerTo = await apiWith(t, { by: 'key set', address: `${origin}${keySet}`, authority })
      const token = await machineToken(suite.issuer, 'machine', 'api read')
      assert.equal(await answerTo(token), 200)
      assert.deepEqual([...new Set(paths)], [keySet])
      assert.equal(await answerTo(await machineToken(suite.issuer, 'machine', 'read')), 401)
      assert.equal(await answerTo(`${token.slice(0, -4)}AAAA`), 401)
      const other = suite === older ? selfSigned : older
      assert.equal(await answerTo(await machineToken(other.issuer, 'machine', 'api')), 401, 'another issuer')
    })

  for (const [name, suite] of [
    ['RFC 9068', standard],
    ['IdentityServer3', older],
  ] as const)
    test(`introspects reference tokens and JWTs in the format of ${name}`, async t => {
      if (!isApacheInstalled) return t.skip(noApache)
      const front = await frontOf(t, suite)
      const { origin, certificate: authority, paths } = front
      const address = `${origin}${introspection}`
      const answerTo = await apiWith(t, { by: 'introspection', address, authority, ...introspectionScope })
      const token = await machineToken(suite.issuer, 'machine-reference', 'api read')
      assert.equal(await answerTo(token), 200)
      assert.equal(await answerTo(await machineToken(suite.issuer, 'machine', 'api read')), 200)
      assert.equal(await answerTo((await obtainTokens(suite.issuer, app)).access_token), 200)
      assert.deepEqual([...new Set(paths)], [introspection])
      assert.equal(await answerTo(await machineToken(suite.issuer, 'machine-reference', 'read')), 401)
      assert.equal(await answerTo(`${token}A`), 401)
    })
})

const noApache = 'Apache with mod_auth_openidc and OpenSSL is not installed here.'
