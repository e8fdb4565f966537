import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { checkQueue } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { digestOfSecretHash } from '#lib/protocol/registration/imported-hashes.ts'
import { countArgon2 } from '../testing/count-argon2.ts'
import fixtures from '../testing/imported-hashes.json' with { type: 'json' }
import { createPasswords } from './passwords.ts'
import {
  createSecretHashing,
  createSecrets,
  createSingleFlight,
  type SecretHashing,
  type SecretKeeper,
} from './secrets.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = new Date(now.getTime() + 1000)
const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }
const hashing = createSecretHashing(cheap)
const stored = (digest: string, expiresAt: Date | null = null): StoredSecret => ({
  id: digest,
  digest,
  expiresAt,
})

/** Wraps the real hashing. `calls` has the number of digests in each call of `find`. */
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
  assert.equal(secrets.findWithoutHash(old, both, later), null)
  assert.equal(await secrets.verify('new secret', both, later), true)
})

test('a secret that was verified once is known without hashing, until it expires or is replaced', async () => {
  const { calls, secrets } = counted()
  const list = [stored(await digestOf(secrets, 'chosen secret'), later)]
  assert.equal(secrets.findWithoutHash('chosen secret', list, now), null)
  assert.equal(await secrets.verify('chosen secret', list, now), true)
  assert.equal(calls.length, 1)
  assert.equal(secrets.findWithoutHash('chosen secret', list, now), list[0])
  assert.equal(secrets.findWithoutHash('chosen secreT', list, now), null)
  assert.equal(secrets.findWithoutHash('chosen secret', list, later), null)
  assert.equal(
    secrets.findWithoutHash('chosen secret', [stored(await digestOf(secrets, 'chosen secret'))], now),
    null,
  )
  assert.equal(calls.length, 1)
})

test('a wrong secret never becomes known', async () => {
  const secrets = createSecrets(hashing)
  const list = [stored(await digestOf(secrets, 'chosen secret'))]
  assert.equal(await secrets.verify('guess', list, now), false)
  assert.equal(secrets.findWithoutHash('guess', list, now), null)
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

for (const { secret, sha256, sha512 } of fixtures.secrets) {
  for (const entry of [{ sha256 }, { sha512 }]) {
    test(`verifies ${secret} by its imported ${Object.keys(entry)}, until it expires, without a password hash`, async () => {
      const { calls, secrets } = counted()
      const one = stored(digestOfSecretHash(entry), later)
      assert.equal(secrets.findWithoutHash(secret, [one], now), one)
      assert.equal(await secrets.verify(secret, [one], now), true)
      assert.equal(calls.length, 0)
      for (const wrong of [`${secret} `, sha256, sha512, one.digest, ''])
        assert.equal(await secrets.verify(wrong, [one], now), false)
      assert.equal(await secrets.verify(secret, [one], later), false)
      assert.equal(secrets.findWithoutHash(secret, [one], later), null)
      assert.equal(calls.length, 6, 'TK-02: a wrong secret costs one hash')
    })
  }
}

test('a request without a secret does not match the hash of an empty one', async () => {
  const secrets = createSecrets(hashing)
  for (const algorithm of ['sha256', 'sha512'] as const) {
    const list = [stored(`${algorithm}:${hash(algorithm, '', 'base64url')}`)]
    assert.equal(secrets.findWithoutHash('', list, now), null)
    assert.equal(await secrets.verify('', list, now), false)
  }
})

test('an empty secret is never right', async () => {
  const secrets = createSecrets(hashing)
  assert.equal(await secrets.verify('', [], now), false)
  assert.equal(secrets.findWithoutHash('', [], now), null)
})

async function family(...secrets: readonly string[]): Promise<readonly string[]> {
  const first = await hashing.hash(secrets[0] ?? '', null)
  const others = await Promise.all(secrets.slice(1).map(secret => hashing.hash(secret, first)))
  return [first, ...others]
}

test('TK-02 one hash finds the right one among many of one owner, and refuses a wrong one', async t => {
  const digests = await family('first secret', 'second secret', 'third secret')
  assert.equal(new Set(digests).size, 3)
  const argon2 = countArgon2(t)
  for (const [presented, expected] of [
    ['first secret', digests[0]],
    ['third secret', digests[2]],
    ['wrong', null],
    ['lone\ud800surrogate', null],
    ['', null],
  ] as const) {
    assert.equal(await hashing.find(presented, digests), expected)
    assert.equal(argon2.count(), 1, presented)
  }
  for (const digests of [[], ['no digest at all']]) {
    assert.equal(await hashing.find('wrong', digests), null)
    assert.equal(argon2.count(), 1)
  }
})

test('digests with separate salts are found', async () => {
  const apart = [await hashing.hash('first secret', null), await hashing.hash('second secret', null)]
  assert.equal(await hashing.find('second secret', apart), apart[1])
  assert.equal(await hashing.find('third secret', apart), null)
})

test('the same secret with the same salt has the same digest; weaker parameters are not inherited', async () => {
  const [first = ''] = await family('first secret')
  assert.equal(await hashing.hash('first secret', first), first)
  const stronger = createSecretHashing({ ...cheap, passes: 2 })
  const renewed = await stronger.hash('first secret', first)
  assert.match(renewed, /t=2/)
  assert.notEqual(renewed.split('$')[4], first.split('$')[4])
})

test('LIM-05 a full queue of secrets refuses secrets and does not block sign-ins', async () => {
  const hashing = createSecretHashing(cheap)
  const capacity = checkQueue.secrets.inFlight + checkQueue.secrets.waiting
  const flood = Promise.allSettled(Array.from({ length: capacity + 5 }, () => hashing.find('guess', [])))
  const passwords = createPasswords(cheap)
  const hash = await passwords.hash('wonderland-tea-party')
  assert.equal(await passwords.verify('wonderland-tea-party', hash), true)
  const refused = (await flood).flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
  assert.equal(refused.length, 5)
  for (const error of refused) {
    assert.ok(isOauthError(error))
    assert.equal(error.code, 'temporarily_unavailable')
  }
})

test('callers of one moment share one answer, and the next moment asks again', async () => {
  const share = createSingleFlight<number>()
  let runs = 0
  const work = async () => ++runs
  assert.deepEqual(await Promise.all([share('a', work), share('a', work), share('b', work)]), [1, 1, 2])
  assert.equal(await share('a', work), 3)
})

test('a failure is shared, too, and not kept', async () => {
  const share = createSingleFlight<string>()
  const fail = async () => Promise.reject(new Error('no'))
  const outcomes = await Promise.allSettled([share('a', fail), share('a', fail)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await share('a', async () => 'yes'), 'yes')
})
