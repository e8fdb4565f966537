import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { createSecretHashing, type SecretHashing } from './secret-hashing.ts'
import { createSecrets, type SecretKeeper } from './secrets.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = new Date(now.getTime() + 1000)
const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }
const hashing = createSecretHashing(cheap)
const stored = (digest: string, expiresAt: Date | null = null): StoredSecret => ({
  id: digest,
  digest,
  expiresAt,
})

/** The real thing, with its calls counted: how many digests each was asked about. */
function counted() {
  const calls: number[] = []
  const counting: SecretHashing = {
    ...hashing,
    find: (presented, digests) => {
      calls.push(digests.length)
      return hashing.find(presented, digests)
    },
  }
  return { calls, secrets: createSecrets(counting) }
}

async function digestOf(secrets: SecretKeeper, secret: string): Promise<string> {
  const [digest] = await secrets.digests([secret], [])
  return digest ?? assert.fail('no digest')
}

test('TK-05 generated secrets carry 256 bits and are stored as a fast digest', async () => {
  const secrets = createSecrets(hashing)
  const secret = secrets.generate()
  assert.match(secret, /^lks_[\w-]{43}$/)
  const digest = await digestOf(secrets, secret)
  assert.match(digest, /^sha256:[\w-]{43}$/)
  assert.ok(!digest.includes(secret.slice(4)))
  assert.equal(await secrets.verify(secret, [stored(digest)], now), true)
})

test('TK-05 chosen secrets go through the password hash, however long', async () => {
  const secrets = createSecrets(hashing)
  for (const secret of [
    's3cret',
    'this-is-a-very-long-phrase-that-only-looks-random',
    `lks_${'a'.repeat(42)}`,
    'x'.repeat(47),
  ]) {
    const digest = await digestOf(secrets, secret)
    assert.match(digest, /^\$argon2id\$/)
    assert.equal(await secrets.verify(secret, [stored(digest)], now), true)
    assert.equal(await secrets.verify(`${secret}x`, [stored(digest)], now), false)
  }
})

test('TK-06 two secrets are valid at the same time, and each expires at its own time', async () => {
  const secrets = createSecrets(hashing)
  const old = secrets.generate()
  const both = [stored(await digestOf(secrets, old), later), stored(await digestOf(secrets, 'new secret'))]
  assert.equal(await secrets.verify(old, both, now), true)
  assert.equal(await secrets.verify('new secret', both, now), true)
  assert.equal(await secrets.verify(old, both, later), false)
  assert.equal(secrets.known(old, both, later), null)
  assert.equal(await secrets.verify('new secret', both, later), true)
})

test('a secret that was verified once is known without hashing, until it expires or is replaced', async () => {
  const { calls, secrets } = counted()
  const list = [stored(await digestOf(secrets, 'chosen secret'), later)]
  assert.equal(secrets.known('chosen secret', list, now), null)
  assert.equal(await secrets.verify('chosen secret', list, now), true)
  assert.equal(calls.length, 1)
  assert.equal(secrets.known('chosen secret', list, now), list[0])
  assert.equal(secrets.known('chosen secreT', list, now), null)
  assert.equal(secrets.known('chosen secret', list, later), null)
  assert.equal(secrets.known('chosen secret', [stored(await digestOf(secrets, 'chosen secret'))], now), null)
  assert.equal(calls.length, 1)
})

test('a wrong secret never becomes known', async () => {
  const secrets = createSecrets(hashing)
  const list = [stored(await digestOf(secrets, 'chosen secret'))]
  assert.equal(await secrets.verify('guess', list, now), false)
  assert.equal(secrets.known('guess', list, now), null)
})

test('TK-02 no secrets, a generated one and a chosen one all cost one password hash', async () => {
  const { calls, secrets } = counted()
  const lists = [
    [],
    [stored(await digestOf(secrets, secrets.generate()))],
    [stored(await digestOf(secrets, 'chosen'))],
    [stored('sha256:x', now)],
    (await secrets.digests(['chosen', 'another', 'a third'], [])).map(digest => stored(digest)),
  ]
  for (const list of lists) {
    calls.length = 0
    assert.equal(await secrets.verify('wrong', list, now), false)
    assert.equal(calls.length, 1)
  }
})

test('an empty secret is never right', async () => {
  const secrets = createSecrets(hashing)
  assert.equal(await secrets.verify('', [], now), false)
  assert.equal(secrets.known('', [], now), null)
})
