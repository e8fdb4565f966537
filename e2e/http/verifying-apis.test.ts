/** APIs that verify JWTs themselves: the middleware of IdentityServer3's time, and today's libraries. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'
import { alice } from '../fixtures/configuration.ts'
import { machineToken, obtainTokens } from '../fixtures/flow.ts'
import { send } from '../fixtures/http-client.ts'
import { decode } from '../fixtures/jwt.ts'
import { fetchSoftware, type Software } from '../fixtures/outside-software.ts'
import { app, latchkeySuite, type Suite } from '../fixtures/suite.ts'

const standard = latchkeySuite()
const certificates = join(import.meta.dirname, '../../lib/crypto/testing/certificates')
/** As the server of an installation that comes from IdentityServer3, with its signing certificate. */
const older = latchkeySuite({
  environment: {
    LATCHKEY_ACCESS_TOKEN_FORMAT: 'identityserver3',
    LATCHKEY_KEY_CERTIFICATES: 'true',
    LATCHKEY_SIGNING_CERTIFICATE: join(certificates, 'legacy.pfx'),
    LATCHKEY_SIGNING_CERTIFICATE_PASSWORD: 'idsrv3test',
  },
})
/** With the keys of this server, and certificates for them. */
const selfSigned = latchkeySuite({
  environment: { LATCHKEY_ACCESS_TOKEN_FORMAT: 'identityserver3', LATCHKEY_KEY_CERTIFICATES: 'true' },
})

const keySetSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })

async function keysOf({ issuer }: Suite) {
  const { jwks_uri: address } = (await send(issuer, '/.well-known/openid-configuration')).json()
  return keySetSchema.parse((await send(issuer, new URL(String(address)).pathname)).json()).keys
}

/** Base64UrlEncoder.DecodeBytes throws at null. */
function decodeBytes(value: unknown): Buffer {
  assert.equal(typeof value, 'string', 'DecodeBytes(null)')
  return Buffer.from(String(value), 'base64url')
}

/**
 * The steps of IdentityServer3.AccessTokenValidation since 2.10: all keys of the key set are imported as RSA by `e` and `n`,
 * the one with the `kid` of the token verifies it, and the JWT handler of that time accepts `typ: JWT` only.
 */
async function middlewareOf2016(suite: Suite, token: string): Promise<Record<string, unknown>> {
  const imported = (await keysOf(suite)).map(key => {
    const [e, n] = [decodeBytes(key.e).toString('base64url'), decodeBytes(key.n).toString('base64url')]
    return { kid: key.kid, key: createPublicKey({ key: { kty: 'RSA', e, n }, format: 'jwk' }) }
  })
  return validated(suite, token, imported)
}

/** Until 2.9.1 it read the first certificate of every key instead: `Convert.FromBase64String(key.X5c.First())`. */
async function middlewareOf2015(suite: Suite, token: string): Promise<Record<string, unknown>> {
  const imported = (await keysOf(suite)).map(({ kid, x5c }) => {
    const [first] = z.tuple([z.base64()]).rest(z.base64()).parse(x5c)
    return { kid, key: new X509Certificate(Buffer.from(first, 'base64')).publicKey }
  })
  return validated(suite, token, imported)
}

type ImportedKey = { readonly kid: unknown; readonly key: KeyObject }

function validated(suite: Suite, token: string, imported: readonly ImportedKey[]): Record<string, unknown> {
  const { header, payload } = decode(token)
  assert.equal(header.typ, 'JWT')
  assert.equal(header.alg, 'RS256')
  const found = imported.find(({ kid }) => kid === header.kid)
  assert.ok(found, 'IDX10500')
  const [head, body, signature = ''] = token.split('.')
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), found.key, Buffer.from(signature, 'base64url')))
  assert.equal(payload.iss, suite.issuer)
  assert.equal(payload.aud, `${suite.issuer}/resources`)
  const skewedNow = Date.now() / 1000
  assert.ok(Number(payload.nbf) <= skewedNow + 300 && Number(payload.exp) >= skewedNow - 300)
  return payload
}

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
    validated(older, token, [{ kid, key: certificate.publicKey }])
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
      const source = join(import.meta.dirname, '../fixtures/VerifyTokens.java')
      const token = await machineToken(suite.issuer, 'machine', 'api read')
      const given = ['-cp', join(fetched.folder, 'lib/*'), source, library, suite.issuer, token]
      const { stdout } = await promisify(execFile)('java', given, { timeout: 120_000 })
      assert.equal(stdout.trim().split('\n').at(-1), 'api read')
    })
  }
})
