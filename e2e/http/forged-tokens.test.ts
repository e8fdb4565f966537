/** Tests that forged and altered tokens are refused. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, test } from 'node:test'
import { machineToken, obtainTokens, type Parameters } from '../fixtures/requests/code-flow.ts'
import { basic, bearer, send, withQuery } from '../fixtures/requests/http-client.ts'
import { decode, forge } from '../fixtures/requests/jwt.ts'
import { challenged, failed } from '../fixtures/requests/refused-tokens.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'
import { app, sharedLatchkey } from '../fixtures/server/suite.ts'

const latchkey = sharedLatchkey()
const access = '/connect/accesstokenvalidation'
const identity = '/connect/identitytokenvalidation'
const byPost = (path: string, form: Parameters) => send(latchkey.issuer, path, { form })
const userinfo = (token: string) => send(latchkey.issuer, '/connect/userinfo', { headers: bearer(token) })
const tokens = (changes: Parameters = {}) => obtainTokens(latchkey.issuer, app, changes)

// Validly signed tokens with invalid claims are in lib/crypto/signing/signer.test.ts (JW-04).
describe('JW-01 JW-02 forged tokens are refused by every endpoint', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  type Forger = (token: string, published: readonly Record<string, unknown>[]) => string
  const forgeries: readonly (readonly [string, Forger])[] = [
    ['alg none', token => resign(token, { alg: 'none' }, null)],
    ['alg None', token => resign(token, { alg: 'None' }, null)],
    [
      'alg nOnE with the old signature',
      token => `${resign(token, { alg: 'nOnE' }, null)}${token.split('.')[2]}`,
    ],
    ['alg empty', token => resign(token, { alg: '' }, null)],
    [
      'no alg',
      token => forge({ header: { typ: decode(token).header.typ }, payload: decode(token).payload }, null),
    ],
    ['signature removed', token => `${token.split('.').slice(0, 2).join('.')}.`],
    ['HS256 with the public key as PEM', (token, keys) => resign(token, { alg: 'HS256' }, pem(keys))],
    ['HS256 with the client secret', token => resign(token, { alg: 'HS256' }, clientSecret)],
    ['HS256 with an empty secret', token => resign(token, { alg: 'HS256' }, '')],
    ['different key with a known kid', token => resign(token, { alg: 'RS256' }, privateKey)],
    ['different key without kid', token => resign(token, { alg: 'RS256', kid: undefined }, privateKey)],
    [
      'different key with an unknown kid',
      token => resign(token, { alg: 'RS256', kid: 'unknown' }, privateKey),
    ],
    [
      'key in the jwk header',
      token => resign(token, { alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) }, privateKey),
    ],
    [
      'key named by jku',
      token => resign(token, { alg: 'RS256', jku: 'http://127.0.0.1:9/jwks' }, privateKey),
    ],
    ['key named by x5u', token => resign(token, { alg: 'RS256', x5u: 'http://127.0.0.1:9/x5u' }, privateKey)],
    ['kid as a path', token => resign(token, { alg: 'HS256', kid: '../../../../dev/null' }, '')],
    ['kid as SQL', token => resign(token, { alg: 'HS256', kid: "' or '1'='1" }, '')],
    ['payload changed under the old signature', token => edit(token, { sub: 'bob-0002' })],
    ['exp moved under the old signature', token => edit(token, { exp: 4_102_444_800 })],
    ['unknown critical header', token => resign(token, { crit: ['x'], x: 1 }, privateKey)],
    [
      'JSON serialization',
      token =>
        JSON.stringify({
          payload: token.split('.')[1],
          protected: token.split('.')[0],
          signature: token.split('.')[2],
        }),
    ],
    ['a fourth part', token => `${token}.x`],
    ['a part doubled', token => token.replace('.', '..')],
    ['white space inside', token => token.replace('.', '. ')],
    [
      'one character changed',
      token => `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`,
    ],
    ['a null payload', token => `${token.split('.')[0]}.bnVsbA.${token.split('.')[2]}`],
    ['an array payload', token => `${token.split('.')[0]}.W10.${token.split('.')[2]}`],
  ]
  for (const [name, forger] of forgeries) {
    test(`JW-01 refuses a token with ${name}`, async () => {
      const keys = await publishedKeys()
      const issued = await tokens({ scope: 'openid profile' })
      await believedNowhere(forger(issued.access_token, keys), forger(issued.id_token, keys))
    })
  }
})

describe('JW-12 a token of ten megabytes is refused immediately', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const megabytes = 10_000_000
  test('JW-12 a long token with Content-Length is refused before its body arrives', async () => {
    const declared = { ...headers, 'content-length': String(megabytes) }
    assert.equal((await send(latchkey.issuer, access, { body: 'token=a', headers: declared })).status, 413)
  })
  test('JW-12 a long token without Content-Length is refused at the limit', async () => {
    const body = `token=${'a'.repeat(megabytes)}.b.c`
    assert.equal((await send(latchkey.issuer, access, { body, headers, chunked: true })).status, 413)
  })
  test('JW-12 a token of sixty kilobytes, within the body limit, is not valid', async () => {
    failed(await byPost(access, { token: `${'a'.repeat(60_000)}.b.c` }), 'invalid_token')
  })
})

describe('JW-16 only the whole value of a reference token is valid', () => {
  const changes: readonly (readonly [string, (token: string) => string])[] = [
    ['shortened', token => token.slice(0, -1)],
    ['lengthened', token => `${token}A`],
    ['padded', token => `${token}=`],
    ['in capitals', token => token.toUpperCase()],
    ['without its prefix', token => token.slice(3)],
    [
      'one character changed',
      token => `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`,
    ],
    ['prefix only', () => 'at_'],
  ]
  for (const [name, change] of changes) {
    test(`JW-16 refuses a reference token: ${name}`, async () => {
      const token = change(await machineToken(latchkey.issuer, 'machine-reference'))
      failed(await byPost(access, { token }), 'invalid_token')
    })
  }
})

async function believedNowhere(accessToken: string, identityToken: string): Promise<void> {
  failed(await byPost(access, { token: accessToken }), 'invalid_token')
  failed(await byPost(identity, { token: identityToken, client_id: 'trusted' }), 'invalid_token')
  if (/^[\w.\-~+/=]+$/.test(accessToken)) challenged(await userinfo(accessToken))
  const introspected = await send(latchkey.issuer, '/connect/introspect', {
    form: { token: accessToken },
    headers: basic('trusted', clientSecret),
  })
  assert.deepEqual(introspected.json(), { active: false })
  assert.ok(!(await opensWayOut(identityToken)), 'a forged hint opens no way out')
}

/** Whether a sign-out with this hint leads back to the app. */
async function opensWayOut(id_token_hint: string): Promise<boolean> {
  const asked = { id_token_hint, post_logout_redirect_uri: `${app}/signed-out` }
  const { headers } = await send(latchkey.issuer, withQuery('/connect/endsession', asked))
  return (headers.location ?? '').startsWith(app)
}

async function publishedKeys(): Promise<readonly Record<string, unknown>[]> {
  const { keys } = (await send(latchkey.issuer, '/.well-known/jwks')).json()
  if (!Array.isArray(keys)) throw new Error('the key set has no keys')
  return keys
}

function pem(keys: readonly Record<string, unknown>[]): string {
  const rsa = keys.find(key => key.kty === 'RSA') ?? {}
  return createPublicKey({ key: rsa, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
}

function resign(token: string, header: Record<string, unknown>, key: KeyObject | string | null): string {
  const parts = decode(token)
  return forge({ header: { ...parts.header, ...header }, payload: parts.payload }, key)
}

function edit(token: string, claims: Record<string, unknown>): string {
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ ...decode(token).payload, ...claims })).toString('base64url')
  return `${header}.${payload}.${signature}`
}
