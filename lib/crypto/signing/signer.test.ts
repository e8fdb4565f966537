import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign as signBytes } from 'node:crypto'
import { test } from 'node:test'
import * as jose from 'jose'
import type { Claims } from '#lib/protocol/claims.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { parameterLimit } from '#lib/protocol/wire/parameters.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createSealing } from '../keys/sealing.ts'
import { openSigningKey } from '../keys/signing-key.ts'
import { createTestSigningKeys } from '../testing/memory-signing-keys.ts'

const issuer = 'https://login.example'
const start = new Date('2026-11-20T12:00:00Z')
const clock = { now: () => start }
const sealing = createSealing(randomBytes(32))
const keys = createTestSigningKeys()
const ring = createKeyRing({
  keys,
  sealing,
  clock,
  issuer,
  algorithmsInUse: async () => new Set(signingAlgorithms),
})
await ring.ensureKeys()
const { signer } = ring

const seconds = start.getTime() / 1000
const sound: Claims = {
  iss: issuer,
  sub: 'alice',
  aud: 'app',
  iat: seconds,
  nbf: seconds,
  exp: seconds + 300,
  jti: 'one',
}
const ours = Object.fromEntries([...keys.rows.values()].map(row => [row.algorithm, row]))

function keyOf(algorithm: SigningAlgorithm) {
  const row = ours[algorithm]
  assert.ok(row)
  return { kid: row.kid, publicJwk: row.publicJwk, privateKey: openSigningKey(row, sealing).privateKey() }
}

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signs any header and payload, by default with our own ES256 key, as only a broken issuer would. */
function signed(header: unknown, payload: unknown, key: KeyObject = keyOf('ES256').privateKey): string {
  const input = `${part(header)}.${part(payload)}`
  const signature = signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

const header = { alg: 'ES256', typ: 'at+jwt', kid: keyOf('ES256').kid }

for (const algorithm of signingAlgorithms) {
  test(`${algorithm}: jose verifies what we sign, and we verify what jose signs`, async () => {
    const { kid, publicJwk, privateKey } = keyOf(algorithm)
    const ownToken = await signer.sign(sound, 'at+jwt', algorithm)
    const opinion = await jose.jwtVerify(ownToken, await jose.importJWK(publicJwk, algorithm), {
      issuer,
      audience: 'app',
      typ: 'at+jwt',
      algorithms: [algorithm],
      currentDate: start,
    })
    assert.deepEqual(opinion.payload, sound)
    assert.deepEqual(opinion.protectedHeader, { alg: algorithm, typ: 'at+jwt', kid })
    const theirs = await new jose.SignJWT({ ...sound })
      .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
      .sign(privateKey)
    assert.deepEqual(await signer.verify(theirs, 'at+jwt'), { claims: sound, algorithm })
  })
}

test('the control of the tables below: the same parts, sound, are accepted', async () => {
  assert.deepEqual(await signer.verify(signed(header, sound), 'at+jwt'), {
    claims: sound,
    algorithm: 'ES256',
  })
})

test('JW-01 refuses none in any case, public keys as HMAC secrets, and another algorithm for the key', async () => {
  const { publicJwk } = keyOf('ES256')
  const publicPem = jose.exportSPKI(
    await jose.importJWK(publicJwk, 'ES256', { extractable: true }).then(key => {
      assert.ok(!(key instanceof Uint8Array))
      return key
    }),
  )
  const hmac = (secret: string) => {
    const input = `${part({ ...header, alg: 'HS256' })}.${part(sound)}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }
  const forged = [
    ...['none', 'None', 'NONE', 'nOnE', ''].map(alg => `${part({ ...header, alg })}.${part(sound)}.`),
    ...['none', 'None', 'NONE', 'nOnE', ''].map(alg => `${part({ ...header, alg })}.${part(sound)}.AA`),
    hmac(await publicPem),
    hmac(JSON.stringify(publicJwk)),
    hmac(''),
    ...['RS256', 'EdDSA', 'PS256', 'ES384', 'es256', 'HS256', 256, null, ['ES256']].map(alg =>
      signed({ ...header, alg }, sound),
    ),
    signed({ ...header, alg: undefined }, sound),
    signed({ ...header, kid: keyOf('RS256').kid }, sound),
  ]
  for (const token of forged) assert.equal(await signer.verify(token, 'at+jwt'), null, token.slice(0, 60))
})

test('JW-02 takes keys only from the key ring and ignores embedded and remote ones', async () => {
  const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = attacker.publicKey.export({ format: 'jwk' })
  const forged = [
    { ...header, jwk },
    { alg: 'ES256', typ: 'at+jwt', jwk },
    { ...header, jku: 'http://127.0.0.1:1/keys' },
    { ...header, x5u: 'http://127.0.0.1:1/cert', x5c: ['MIIB'] },
    { ...header, kid: 'unknown' },
    { ...header, kid: '../../etc/passwd' },
    { ...header, kid: "' or 1=1 --" },
    { ...header, kid: [header.kid] },
  ].map(forgedHeader => signed(forgedHeader, sound, attacker.privateKey))
  for (const token of forged) assert.equal(await signer.verify(token, 'at+jwt'), null, token.slice(0, 60))
})

test('JW-03 accepts one kind of token never as another, and a type only as this server writes it', async () => {
  const kinds = ['at+jwt', 'JWT', 'access-jwt', 'identityserver3'] as const
  for (const kind of kinds) {
    const token = await signer.sign(sound, kind, 'RS256')
    const accepted = await Promise.all(kinds.map(async as => (await signer.verify(token, as)) !== null))
    assert.deepEqual(
      kinds.filter((_as, index) => accepted[index]),
      [kind],
    )
  }
  assert.ok(await signer.verify(signed(header, sound), 'at+jwt'))
  for (const typ of [
    'at+JWT',
    'AT+JWT',
    'application/at+jwt',
    'Application/At+Jwt',
    'JWT',
    'logout+jwt',
    'at+jwt ',
    'text/at+jwt',
    'at',
    '',
    null,
    1,
    undefined,
    ['at+jwt'],
  ]) {
    assert.equal(await signer.verify(signed({ ...header, typ }, sound), 'at+jwt'), null, String(typ))
  }
})

test('JW-04 refuses a missing, mistyped or untrue claim', async () => {
  const faults: ReadonlyArray<Record<string, unknown>> = [
    ...['iss', 'aud', 'exp', 'nbf', 'iat'].map(name => ({ [name]: undefined })),
    ...['iss', 'aud', 'exp', 'nbf', 'iat'].map(name => ({ [name]: null })),
    ...['exp', 'nbf', 'iat'].flatMap(name => [
      { [name]: String(seconds + 100) },
      { [name]: -1 },
      { [name]: [seconds] },
      { [name]: true },
    ]),
    { iss: `${issuer}/` },
    { iss: 'https://evil.example' },
    { iss: [issuer] },
    { aud: '' },
    { aud: [] },
    { aud: ['app', 1] },
    { aud: { app: true } },
    { exp: seconds },
    { exp: seconds - 1 },
    { nbf: seconds + 61 },
    { iat: seconds + 61 },
  ]
  for (const fault of faults) {
    assert.equal(
      await signer.verify(signed(header, { ...sound, ...fault }), 'at+jwt'),
      null,
      JSON.stringify(fault),
    )
  }
  for (const infinite of ['1e309', '1e999']) {
    const payload = JSON.stringify(sound).replace(`"exp":${seconds + 300}`, `"exp":${infinite}`)
    assert.equal(await signer.verify(signed(header, payload), 'at+jwt'), null, infinite)
  }
})

test('JW-04 lets a token that another node’s clock began a minute ahead pass', async () => {
  assert.ok(await signer.verify(signed(header, { ...sound, nbf: seconds + 60, iat: seconds + 60 }), 'at+jwt'))
})

test('ignoreExpiry skips the end and nothing else', async () => {
  const past = { ...sound, exp: seconds - 1000 }
  assert.ok(await signer.verify(signed(header, past), 'at+jwt', { ignoreExpiry: true }))
  for (const fault of [
    { exp: 'soon' },
    { exp: undefined },
    { iss: 'https://evil.example' },
    { nbf: seconds + 100 },
  ]) {
    assert.equal(
      await signer.verify(signed(header, { ...past, ...fault }), 'at+jwt', { ignoreExpiry: true }),
      null,
    )
  }
})

test('JW-12 reads compact serialization only, each token in one spelling', async () => {
  const token = signed(header, sound)
  const [head = '', body = '', signature = ''] = token.split('.')
  const spareBits =
    signature.slice(0, -1) +
    (signature.endsWith('A') ? 'B' : String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1))
  const others = [
    '',
    '.',
    '..',
    '...',
    head,
    `${head}.${body}`,
    `${head}.${body}.`,
    `.${body}.${signature}`,
    `${token}.`,
    `${token}.AA`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
    `${head}.${body}.${spareBits}`,
    `${head}.${body}.${signature.slice(0, -4)}`,
    `${head}.${part({ ...sound, sub: 'bob' })}.${signature}`,
    `${part({ ...header, extra: 1 })}.${body}.${signature}`,
    JSON.stringify({ protected: head, payload: body, signature }),
    JSON.stringify({ payload: body, signatures: [{ protected: head, signature }] }),
  ]
  for (const other of others) assert.equal(await signer.verify(other, 'at+jwt'), null, other.slice(0, 80))
})

test('JW-12 refuses every header that this server does not write, duplicate keys, and other values than JSON objects', async () => {
  const repeated = JSON.stringify(header).replace('{', '{"alg":"none",')
  const headers = [
    repeated,
    '[]',
    '"text"',
    'null',
    '{',
    '',
    { ...header, extra: 1 },
    { kid: header.kid, alg: header.alg, typ: header.typ },
    `${JSON.stringify(header)} `,
    { ...header, crit: ['exp'] },
    { ...header, crit: [], b64: false },
  ]
  for (const wrong of headers)
    assert.equal(await signer.verify(signed(wrong, sound), 'at+jwt'), null, JSON.stringify(wrong))
  const twice = JSON.stringify(sound).replace('{', '{"sub":"bob",')
  for (const wrong of [twice, '[]', 'null', '7', '', '{"iss":']) {
    assert.equal(await signer.verify(signed(header, wrong), 'at+jwt'), null, wrong)
  }
})

test('JW-12 refuses a token that is longer than a form, and accepts one that fits', async () => {
  const withLength = (length: number) => signed(header, { ...sound, filler: 'x'.repeat(length) })
  assert.ok(withLength(48_500).length < parameterLimit('id_token_hint'))
  assert.notEqual(await signer.verify(withLength(48_500), 'at+jwt'), null)
  assert.equal(await signer.verify(withLength(49_500), 'at+jwt'), null)
})

test('JW-11 publishes public members only, under unique names', async () => {
  const published = await signer.publicKeys()
  assert.deepEqual(published.map(jwk => jwk.alg).sort(), ['ES256', 'EdDSA', 'PS256', 'RS256'])
  assert.equal(new Set(published.map(jwk => jwk.kid)).size, 4)
  for (const jwk of published) {
    assert.equal(jwk.use, 'sig')
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) assert.ok(!(secret in jwk), secret)
  }
})

test('JW-08 new RSA keys have 3,072 bits', () => {
  assert.equal(Buffer.from(String(keyOf('RS256').publicJwk.n), 'base64url').length * 8, 3072)
})

test('JW-09 private keys are sealed, and a key moved to another row cannot sign', () => {
  const rows = [...keys.rows.values()]
  for (const row of rows) {
    assert.ok(row.sealedPrivateJwk.startsWith('sealed1.') && !row.sealedPrivateJwk.includes('"d"'))
    const other = rows.find(candidate => candidate !== row)
    assert.ok(other)
    assert.throws(() =>
      openSigningKey({ ...row, sealedPrivateJwk: other.sealedPrivateJwk }, sealing).privateKey(),
    )
  }
})
