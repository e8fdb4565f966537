/** Tests that the states in the metrics are those in the database, and no older ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { createRegistry } from './registry.ts'
import { readStates } from './state-metrics.ts'

const start = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-01T00:01:00Z')

function signingKey(algorithm: 'ES256' | 'RS256', retiresAt: Date | null): StoredSigningKey {
  return {
    kid: algorithm,
    algorithm,
    generation: 1,
    publicJwk: { kty: 'EC' },
    sealedPrivateJwk: '',
    createdAt: start,
    activatesAt: start,
    retiresAt,
    expiresAt: null,
  }
}

test('ME-03 a key that has retired without a successor no longer has an age', async () => {
  const registry = createRegistry()
  const keys = [signingKey('ES256', null), signingKey('RS256', later)]
  const ports = {
    outbox: { countWaiting: async () => ({ count: 0, oldestAt: null }) },
    signingKeys: { all: async () => keys },
    databaseStatus: { purgedAt: async () => null },
    auditCheck: async () => null,
  }
  const algorithms = () => {
    const names = ['latchkey.key.age', 'latchkey.key.signs_until.timestamp']
    return registry.read().flatMap(({ name, labels }) => (names.includes(name) ? labels : []))
  }
  await readStates(registry, ports, start)
  assert.deepEqual(algorithms().toSorted(), ['ES256', 'ES256', 'RS256', 'RS256'])
  await readStates(registry, ports, later)
  assert.deepEqual(algorithms(), ['ES256', 'ES256'])
})
