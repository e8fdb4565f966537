import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createAuditHash } from '../audit-chain.ts'
import { masterKeysFor } from '../testing/master-keys.ts'
import { dataKeysName, openDataKeys, planRotation } from './data-keys.ts'
import { keyCheckName } from './master-key.ts'
import { createSealing } from './sealing.ts'

const now = new Date('2026-11-27T10:00:00.000Z')

function createMeta(stored: Readonly<Record<string, string>> = {}) {
  const rows = new Map(Object.entries(stored))
  return {
    rows,
    find: async (name: string) => rows.get(name) ?? null,
    async settle(name: string, value: string) {
      if (!rows.has(name)) rows.set(name, value)
      return rows.get(name) ?? value
    },
  }
}

/** Wraps the data keys with the next master key, and stores them as the command does. */
async function rotate(meta: ReturnType<typeof createMeta>, current: Buffer, next: Buffer): Promise<void> {
  const { from, to } = await planRotation(masterKeysFor(current, next), meta, now)
  assert.equal(meta.rows.get(dataKeysName), from)
  meta.rows.set(dataKeysName, to ?? assert.fail('was rotated before'))
}

/** Values that the release before the data keys made with the master key `earlierKey`. */
const earlierKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
const earlier = {
  check: 'sealed1.UyX4Y3Ix.8VmHOKEXqzGz3Uf1zu5znyGDijhcEO2bUmm5AUrfLpVjrwO6nizJGp9D5WatYfJ8b7P6Sg',
  sealed:
    'sealed1.UyX4Y3Ix.1Gdf2mvXc0P8nXoQyFQMGkQXSnTtFrMZ8g12lPG6TT0mfm3yI0fSQ7nzlInOrZnYXYfde2ICB5-WLGBp6DpGKlGj0DQkT_W6-Q',
  auditHash: 'fTUijA7MUyY1fdtYF2xB-EYOhXyyHVTH6CxZrgywN5c',
}
const auditRow = {
  ...({
    seq: 1,
    time: now,
    action: 'clients.create',
    actor: null,
    actorRole: null,
    targetKind: 'client',
  } as const),
  ...{ targetId: 'web', before: null, after: { name: 'Web' }, requestId: 'start', address: null },
}

test('MK-01 the data of an earlier release stays valid: sealed values and the audit log', async () => {
  const meta = createMeta({ [keyCheckName]: earlier.check })
  for (const _ of ['first start', 'second start']) {
    const { keys } = await openDataKeys(masterKeysFor(earlierKey), meta)
    const sealing = createSealing(keys.sealing)
    assert.equal(sealing.open(earlier.sealed, 'table:column:row'), 'a value of an earlier release')
    assert.equal(createAuditHash(keys.audit)('', auditRow), earlier.auditHash)
  }
  await rotate(meta, earlierKey, randomBytes(32))
  assert.equal(meta.rows.get(keyCheckName), earlier.check)
})

test('MK-01 a new installation gets three random keys, which its database contains only wrapped', async () => {
  const meta = createMeta()
  const masterKeys = masterKeysFor()
  const { keys } = await openDataKeys(masterKeys, meta)
  const all = [keys.sealing, keys.audit, keys.derivation, masterKeys.current.bytes]
  assert.equal(new Set(all.map(String)).size, 4)
  assert.deepEqual((await openDataKeys(masterKeys, meta)).keys, keys)
  for (const key of all)
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      assert.ok(!JSON.stringify([...meta.rows]).includes(key.toString(encoding).slice(0, 40)))
})

test('MK-01 nodes that start at the same time on an empty database use the same data keys', async () => {
  const meta = createMeta()
  const masterKeys = masterKeysFor()
  const opened = await Promise.all(Array.from({ length: 20 }, () => openDataKeys(masterKeys, meta)))
  assert.equal(new Set(opened.map(({ keys }) => keys.sealing.toString('hex'))).size, 1)
})

test('MK-02 a rotation leaves the data keys as they are, and either master key opens them until the settings change', async () => {
  const meta = createMeta()
  const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const { keys } = await openDataKeys(masterKeysFor(first), meta)
  assert.deepEqual((await openDataKeys(masterKeysFor(first, second), meta)).masterKey, first)
  await rotate(meta, first, second)
  assert.deepEqual(await openDataKeys(masterKeysFor(first, second), meta), { keys, masterKey: second })
  assert.deepEqual(await openDataKeys(masterKeysFor(second), meta), { keys, masterKey: second })
  assert.equal((await planRotation(masterKeysFor(first, second), meta, now)).to, null)
  await rotate(meta, second, third)
  assert.deepEqual((await openDataKeys(masterKeysFor(third), meta)).keys, keys)
})

test('CR-04 a different, an earlier and an exchanged master key are refused, each with its sentence', async () => {
  const meta = createMeta()
  const [first, second] = [randomBytes(32), randomBytes(32)]
  await openDataKeys(masterKeysFor(first), meta)
  const different =
    /^ConfigError: MASTER_KEY is \(not shown\), but it is different from the one the data was made with/
  await assert.rejects(openDataKeys(masterKeysFor(second), meta), different)
  await assert.rejects(
    openDataKeys(masterKeysFor(second, first), meta),
    /^ConfigError: MASTER_KEY_NEXT is \(not shown\), but it is the key of the data, and MASTER_KEY is not; exchange the two\.$/,
  )
  await assert.rejects(planRotation(masterKeysFor(second, first), meta, now), /exchange the two/)
  await assert.rejects(
    planRotation(masterKeysFor(first), meta, now),
    /^ConfigError: MASTER_KEY_NEXT is not set to another key; /,
  )
  await rotate(meta, first, second)
  await assert.rejects(
    openDataKeys(masterKeysFor(first), meta),
    /^ConfigError: MASTER_KEY is \(not shown\), but it was replaced on 2026-11-27; set MASTER_KEY to the key that replaced it\.$/,
  )
  await assert.rejects(openDataKeys(masterKeysFor(), meta), different)
})

test('CR-04 a different master key is refused for the data of an earlier release, and stores nothing', async () => {
  const meta = createMeta({ [keyCheckName]: earlier.check })
  await assert.rejects(openDataKeys(masterKeysFor(), meta), /different from the one the data was made with/)
  assert.deepEqual([...meta.rows.keys()], [keyCheckName])
})

test('MK-01 damaged data keys, and those of another database with the same master key, are refused', async () => {
  const [meta, other] = [createMeta(), createMeta()]
  const masterKeys = masterKeysFor()
  await openDataKeys(masterKeys, meta)
  await openDataKeys(masterKeys, other)
  const text = meta.rows.get(dataKeysName) ?? ''
  const damages = [
    other.rows.get(dataKeysName) ?? '',
    '{}',
    'x',
    text.replace(/(?<=wrapped1\.\S{60})./, c => (c === 'A' ? 'B' : 'A')),
  ]
  for (const damaged of damages) {
    meta.rows.set(dataKeysName, damaged)
    await assert.rejects(
      openDataKeys(masterKeys, meta),
      /^ConfigError: The data keys in the database are damaged: restore /,
    )
  }
})
