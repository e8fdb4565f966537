import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretHashing } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { countArgon2 } from '../testing/count-argon2.ts'
import { createPasswords } from './passwords.ts'
import { createSecretHashing } from './secret-hashing.ts'

const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }
const hashing = createSecretHashing(cheap)

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
  const capacity = secretHashing.inFlight + secretHashing.queue
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
