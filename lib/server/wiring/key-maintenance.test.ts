import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestPorts, type TestPorts } from '#lib/core/testing/ports.ts'
import { algorithmsInUse } from '#lib/crypto/keys/algorithms-in-use.ts'
import { createKeyRing } from '#lib/crypto/keys/key-ring.ts'
import { createTestSigningKeys } from '#lib/crypto/testing/memory-signing-keys.ts'
import type { AdminStore } from '#lib/ports/admin-store.ts'
import { sampleAuditEntry, sampleClientRecord } from '#lib/storage/testing/samples.ts'
import { withKeysInUse } from './key-maintenance.ts'

let opened: TestPorts
before(async () => {
  opened = await openTestPorts()
})
after(() => opened.close())

const failures: unknown[] = []

function administration(broken = false) {
  const { ports, storage } = opened
  const keyRing = createKeyRing({
    keys: createTestSigningKeys(),
    sealing: ports.sealing,
    clock: ports.clock,
    issuer: ports.settings.issuer,
    algorithmsInUse: () =>
      broken
        ? Promise.reject(new Error('the lights went out'))
        : algorithmsInUse({ ...storage, accessTokenFormat: 'identityserver3' }),
  })
  const store = withKeysInUse(storage.adminStore, { keyRing, events: ports.events }, error =>
    failures.push(error),
  )
  const published = async () => (await keyRing.signer.publicKeys()).map(({ alg }) => alg)
  return { keyRing, store, published }
}

const save = (store: AdminStore, fields: Record<string, string>) => {
  const write = { kind: 'put', of: 'client', record: sampleClientRecord(fields), expectedVersion: 0 } as const
  return store.commit({ writes: [write], audit: [sampleAuditEntry()] }, opened.ports.clock.now())
}

test('a saved client with a new algorithm has its key in the key set before the change is answered', async () => {
  const { keyRing, store, published } = administration()
  await keyRing.ensureKeys()
  assert.deepEqual(await published(), ['RS256'])
  assert.equal((await save(store, { id_token_signed_response_alg: 'EdDSA' })).kind, 'done')
  assert.deepEqual(await published(), ['RS256', 'EdDSA'])
  const { name, details } = opened.events.findLast(event => event.name === 'key_changed') ?? {}
  assert.equal(name, 'key_changed')
  assert.equal(details?.change, 'scheduled')
})

test('a change that was committed is answered, although no key could be made', async () => {
  const { store } = administration(true)
  assert.equal((await save(store, {})).kind, 'done')
  assert.match(String(failures.at(-1)), /lights/)
})
