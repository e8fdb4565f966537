import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { signingKeys as limits, longestLifetimeSeconds } from '#lib/config/limits.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { createTestSigningKeys, writeKeys } from '../testing/memory-signing-keys.ts'
import { createKeyRing } from './key-ring.ts'
import { createSealing } from './sealing.ts'

const issuer = 'https://login.example'
const sealing = createSealing(randomBytes(32))
const three = ['RS256', 'ES256', 'EdDSA'] as const
const start = new Date('2026-11-20T12:00:00Z').getTime()

/** Creates one store, any number of nodes, and one clock that the test moves. */
function installation() {
  const keys = createTestSigningKeys()
  let now = start
  const clock = { now: () => new Date(now) }
  let inUse: readonly SigningAlgorithm[] = three
  const algorithmsInUse = async () => new Set(inUse)
  return {
    keys,
    node: () => createKeyRing({ keys, sealing, clock, issuer, algorithmsInUse }),
    use: (...algorithms: readonly SigningAlgorithm[]) => {
      inUse = algorithms
    },
    moveTo: (secondsFromStart: number) => {
      now = start + secondsFromStart * 1000
    },
    claims: (lifetime = 300): Claims => ({
      iss: issuer,
      aud: 'app',
      iat: now / 1000,
      nbf: now / 1000,
      exp: now / 1000 + lifetime,
    }),
    kids: () => [...keys.rows.values()].filter(row => row.algorithm === 'ES256').map(row => row.kid),
  }
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

type Ring = ReturnType<typeof createKeyRing>
type Keys = ReturnType<typeof createTestSigningKeys>

/** Rotates a key as the dashboard does: plan, write, forget. */
async function rotate(ring: Ring, keys: Keys) {
  const made = await writeKeys(keys, await ring.planRotation('ES256'))
  ring.forget()
  return made
}

async function revoke(ring: Ring, keys: Keys, kid: string) {
  const made = await writeKeys(keys, await ring.planRevocation(kid))
  ring.forget()
  return made
}

const sign = (ring: Ring, claims: Claims) => ring.signer.sign(claims, 'at+jwt', 'ES256')

test('the first start makes one key per algorithm, the second none', async () => {
  const { keys, node } = installation()
  assert.deepEqual(
    (await node().ensureKeys()).map(key => key.algorithm),
    ['RS256', 'ES256', 'EdDSA'],
  )
  assert.deepEqual(await node().ensureKeys(), [])
  assert.equal(keys.rows.size, 3)
})

test('KEY-02 nodes that start at the same moment settle on one key', async () => {
  const { node, kids, claims } = installation()
  const nodes = [node(), node(), node()]
  await Promise.all(nodes.map(ring => ring.ensureKeys()))
  assert.equal(kids().length, 1)
  const tokens = await Promise.all(nodes.map(ring => sign(ring, claims())))
  assert.deepEqual(new Set(tokens.map(kidOf)), new Set(kids()))
  for (const ring of nodes) {
    for (const token of tokens) assert.ok(await ring.signer.verify(token, 'at+jwt'))
  }
})

test('JW-10 the next key is published long before it signs, the last until its last token has ended', async () => {
  const { node, kids, claims, moveTo } = installation()
  const ring = node()
  const published = async () => (await ring.signer.publicKeys()).map(jwk => jwk.kid)
  await ring.ensureKeys()
  const [first = ''] = kids()

  moveTo(limits.rotationSeconds - limits.propagationSeconds - 120)
  assert.deepEqual(await ring.ensureKeys(), [])

  moveTo(limits.rotationSeconds - limits.propagationSeconds)
  assert.equal((await ring.ensureKeys()).length, 3)
  assert.deepEqual(await ring.ensureKeys(), [])
  const second = kids().find(kid => kid !== first) ?? ''
  assert.ok((await published()).includes(second))
  assert.equal(kidOf(await sign(ring, claims())), first)

  moveTo(limits.rotationSeconds - 1)
  const lastOfFirst = await sign(ring, claims(longestLifetimeSeconds.accessToken))
  assert.equal(kidOf(lastOfFirst), first)

  moveTo(limits.rotationSeconds)
  assert.equal(kidOf(await sign(ring, claims())), second)
  assert.ok(await ring.signer.verify(lastOfFirst, 'at+jwt'))

  moveTo(limits.rotationSeconds + longestLifetimeSeconds.accessToken - 2)
  assert.ok(await ring.signer.verify(lastOfFirst, 'at+jwt'))
  moveTo(limits.rotationSeconds + limits.retentionSeconds)
  assert.ok(!(await published()).includes(first))
})

test('JW-10 a rotation by hand waits until every cache of the key set has run out', async () => {
  const { keys, node, claims, moveTo } = installation()
  const ring = node()
  await ring.ensureKeys()
  const before = await sign(ring, claims(3600))
  const [next] = await rotate(ring, keys)
  assert.ok(next)
  assert.equal(kidOf(await sign(ring, claims())), kidOf(before))
  moveTo(limits.promptPropagationSeconds)
  assert.equal(kidOf(await sign(ring, claims())), next.kid)
  assert.ok(await ring.signer.verify(before, 'at+jwt'))
})

test('KEY-03 a revoked key is invalid immediately on this node and within a second on every other node, and a new key signs', async () => {
  const { keys, node, kids, claims, moveTo } = installation()
  const [here, there] = [node(), node()]
  await here.ensureKeys()
  const leaked = await sign(here, claims())
  assert.ok(await there.signer.verify(leaked, 'at+jwt'))
  await revoke(here, keys, kidOf(leaked))
  assert.equal(await here.signer.verify(leaked, 'at+jwt'), null)
  assert.ok(!kids().includes(kidOf(leaked)))
  moveTo(0.999)
  assert.equal(await there.signer.verify(leaked, 'at+jwt'), null)
  assert.ok(await there.signer.verify(await sign(here, claims()), 'at+jwt'))
})

test('a revoked key that had not signed yet is replaced without a gap', async () => {
  const { keys, node, claims, moveTo } = installation()
  const ring = node()
  await ring.ensureKeys()
  const [next] = await rotate(ring, keys)
  assert.ok(next)
  await revoke(ring, keys, next.kid)
  for (const moment of [
    0,
    limits.promptPropagationSeconds - 1,
    limits.promptPropagationSeconds,
    limits.promptPropagationSeconds + 60,
  ]) {
    moveTo(moment)
    assert.ok(await ring.signer.verify(await sign(ring, claims()), 'at+jwt'))
  }
  assert.ok(!keys.rows.has(next.kid))
})

test('a crash between making a key and retiring its predecessor is repaired by the next run', async () => {
  const { keys, node, kids, moveTo } = installation()
  await node().ensureKeys()
  const soon = limits.rotationSeconds - limits.propagationSeconds
  const crashing = createKeyRing({
    keys: { ...keys, schedule: () => Promise.reject(new Error('the lights went out')) },
    sealing,
    clock: { now: () => new Date(start + soon * 1000) },
    issuer,
    algorithmsInUse: async () => new Set(three),
  })
  moveTo(soon)
  await assert.rejects(crashing.ensureKeys(), /lights/)
  const [first = ''] = kids()
  assert.equal(keys.rows.get(first)?.retiresAt, null)
  await node().ensureKeys()
  assert.ok(keys.rows.get(first)?.retiresAt)
})

test('a server that slept through a rotation still publishes before it signs', async () => {
  const { node, claims, moveTo } = installation()
  const ring = node()
  await ring.ensureKeys()
  const before = kidOf(await sign(ring, claims()))
  moveTo(5 * limits.rotationSeconds)
  const made = await ring.ensureKeys()
  assert.equal(made.length, 3)
  assert.equal(kidOf(await sign(ring, claims())), before)
  moveTo(5 * limits.rotationSeconds + limits.propagationSeconds)
  assert.notEqual(kidOf(await sign(ring, claims())), before)
})

test('the plan of a rotation by hand has the successor, and the end of the key that signs now', async () => {
  const { keys, node, kids } = installation()
  const ring = node()
  await ring.ensureKeys()
  const [signing] = kids()
  const [create, schedule, ...more] = await ring.planRotation('ES256')
  assert.ok(create?.kind === 'create_key' && schedule?.kind === 'schedule_key')
  assert.deepEqual(more, [])
  assert.equal(schedule.kid, signing)
  assert.deepEqual(schedule.retiresAt, create.key.activatesAt)
  assert.equal(keys.rows.size, 3, 'nothing is written yet')
})

test('a key that no longer signs is removed without a replacement', async () => {
  const { keys, node, moveTo, kids } = installation()
  const ring = node()
  await ring.ensureKeys()
  const [first = ''] = kids()
  await rotate(ring, keys)
  moveTo(limits.promptPropagationSeconds)
  assert.deepEqual(await ring.planRevocation(first), [{ kind: 'remove_key', kid: first }])
})

describe('keys of the algorithms in use', () => {
  const algorithmsOf = (keys: Keys) => [...keys.rows.values()].map(({ algorithm }) => algorithm)
  const published = async (ring: Ring) => (await ring.signer.publicKeys()).map(({ alg }) => alg)

  test('an installation that needs only RS256 has only an RS256 key', async () => {
    const { keys, node, use } = installation()
    use('RS256')
    await node().ensureKeys()
    assert.deepEqual(algorithmsOf(keys), ['RS256'])
    assert.deepEqual(await published(node()), ['RS256'])
  })
  test('a registration that needs another algorithm gets its key, which every node publishes before it signs', async () => {
    const { node, use, claims, moveTo } = installation()
    const [here, there] = [node(), node()]
    use('RS256')
    await here.ensureKeys()
    assert.deepEqual(await published(there), ['RS256'])
    use('RS256', 'ES256')
    await here.ensureKeys()
    moveTo(0.5)
    assert.deepEqual(await published(there), ['RS256', 'ES256'])
    assert.ok(await there.signer.verify(await sign(here, claims()), 'at+jwt'))
  })
  test('KEY-02 nodes that need a first key at the same moment agree on one, also without ensureKeys', async () => {
    const { node, kids, claims, use } = installation()
    use('RS256', 'ES256')
    const nodes = [node(), node(), node()]
    const tokens = await Promise.all(
      nodes.flatMap(ring => [sign(ring, claims()), sign(ring, claims()), sign(ring, claims())]),
    )
    assert.equal(kids().length, 1)
    assert.deepEqual(new Set(tokens.map(kidOf)), new Set(kids()))
    for (const ring of nodes) for (const token of tokens) assert.ok(await ring.signer.verify(token, 'at+jwt'))
  })
  test('a key that nothing needs retires, and verifies what it signed until its last token has ended', async () => {
    const { keys, node, kids, claims, use, moveTo } = installation()
    const ring = node()
    await ring.ensureKeys()
    const token = await sign(ring, claims(longestLifetimeSeconds.accessToken))
    use('RS256')
    await ring.ensureKeys()
    const [kid = ''] = kids()
    assert.deepEqual(keys.rows.get(kid)?.retiresAt, new Date(start))
    moveTo(longestLifetimeSeconds.accessToken - 1)
    assert.ok(await ring.signer.verify(token, 'at+jwt'))
    moveTo(limits.retentionSeconds)
    assert.deepEqual(await published(ring), ['RS256'])
    await ring.ensureKeys()
    assert.equal(kids().length, 1)
  })
  test('an algorithm that is needed again gets a new key', async () => {
    const { node, kids, claims, use } = installation()
    const ring = node()
    await ring.ensureKeys()
    const [first] = kids()
    use('RS256')
    await ring.ensureKeys()
    use('RS256', 'ES256')
    assert.notEqual(kidOf(await sign(ring, claims())), first)
    await ring.ensureKeys()
    assert.equal(kids().length, 2)
  })
  test('a revoked key that nothing needs is not replaced', async () => {
    const { keys, node, kids, use } = installation()
    const ring = node()
    await ring.ensureKeys()
    use('RS256')
    const [kid = ''] = kids()
    assert.deepEqual(await ring.planRevocation(kid), [{ kind: 'remove_key', kid }])
    await revoke(ring, keys, kid)
    assert.deepEqual(await published(ring), ['RS256', 'EdDSA'])
  })
})
