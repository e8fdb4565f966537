import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { Passwords } from '#lib/ports/users.ts'
import { createPasswords } from './passwords.ts'
import { createSecrets } from './secrets.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = new Date(now.getTime() + 1000)
const passwords = createPasswords({ memoryKiB: 64, passes: 1, lanes: 1 })
const stored = (digest: string, expiresAt: Date | null = null): StoredSecret => ({
  id: digest,
  digest,
  expiresAt,
})

/** The real thing, with its calls counted. */
function counted() {
  const calls: Array<string | null> = []
  const counting: Passwords = {
    ...passwords,
    verify: (password, hash) => {
      calls.push(hash)
      return passwords.verify(password, hash)
    },
  }
  return { calls, secrets: createSecrets(counting) }
}

test('TK-05 generated secrets carry 256 bits and are stored as a fast digest', async () => {
  const secrets = createSecrets(passwords)
  const secret = secrets.generate()
  assert.match(secret, /^lks_[\w-]{43}$/)
  const digest = await secrets.digest(secret)
  assert.match(digest, /^sha256:[\w-]{43}$/)
  assert.ok(!digest.includes(secret.slice(4)))
  assert.equal(await secrets.verify(secret, [stored(digest)], now), true)
})

test('TK-05 chosen secrets go through the password hash, however long', async () => {
  const secrets = createSecrets(passwords)
  for (const secret of [
    's3cret',
    'this-is-a-very-long-phrase-that-only-looks-random',
    `lks_${'a'.repeat(42)}`,
    'x'.repeat(47),
  ]) {
    const digest = await secrets.digest(secret)
    assert.match(digest, /^\$argon2id\$/)
    assert.equal(await secrets.verify(secret, [stored(digest)], now), true)
    assert.equal(await secrets.verify(`${secret}x`, [stored(digest)], now), false)
  }
})

test('TK-06 two secrets live at once, and each ends at its own time', async () => {
  const secrets = createSecrets(passwords)
  const old = secrets.generate()
  const both = [stored(await secrets.digest(old), later), stored(await secrets.digest('new secret'))]
  assert.equal(await secrets.verify(old, both, now), true)
  assert.equal(await secrets.verify('new secret', both, now), true)
  assert.equal(await secrets.verify(old, both, later), false)
  assert.equal(secrets.isKnown(old, both, later), false)
  assert.equal(await secrets.verify('new secret', both, later), true)
})

test('a secret that was verified once is known without hashing, until it expires or is replaced', async () => {
  const { calls, secrets } = counted()
  const list = [stored(await secrets.digest('chosen secret'), later)]
  assert.equal(secrets.isKnown('chosen secret', list, now), false)
  assert.equal(await secrets.verify('chosen secret', list, now), true)
  assert.equal(calls.length, 1)
  assert.equal(secrets.isKnown('chosen secret', list, now), true)
  assert.equal(secrets.isKnown('chosen secreT', list, now), false)
  assert.equal(secrets.isKnown('chosen secret', list, later), false)
  assert.equal(secrets.isKnown('chosen secret', [stored(await secrets.digest('chosen secret'))], now), false)
  assert.equal(calls.length, 1)
})

test('a wrong secret never becomes known', async () => {
  const secrets = createSecrets(passwords)
  const list = [stored(await secrets.digest('chosen secret'))]
  assert.equal(await secrets.verify('guess', list, now), false)
  assert.equal(secrets.isKnown('guess', list, now), false)
})

test('TK-02 no secrets, a generated one and a chosen one all cost one password hash', async () => {
  const { calls, secrets } = counted()
  const lists = [
    [],
    [stored(await secrets.digest(secrets.generate()))],
    [stored(await secrets.digest('chosen'))],
    [stored('sha256:x', now)],
  ]
  for (const list of lists) {
    calls.length = 0
    assert.equal(await secrets.verify('wrong', list, now), false)
    assert.equal(calls.length, 1)
  }
})

test('an empty secret is never right', async () => {
  const secrets = createSecrets(passwords)
  assert.equal(await secrets.verify('', [], now), false)
  assert.equal(secrets.isKnown('', [], now), false)
})
