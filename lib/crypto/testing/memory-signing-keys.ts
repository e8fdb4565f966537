/** A key store in memory that satisfies the port's contract, for tests with several nodes on one store. */
import type { KeyWrite, SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'

type TestSigningKeys = SigningKeys & { readonly rows: Map<string, StoredSigningKey> }

export function createTestSigningKeys(): TestSigningKeys {
  const rows = new Map<string, StoredSigningKey>()
  return {
    rows,
    all: async () => [...rows.values()],
    async create(key) {
      const isTaken = [...rows.values()].some(
        row => row.algorithm === key.algorithm && row.generation === key.generation,
      )
      if (!isTaken) rows.set(key.kid, key)
      return !isTaken
    },
    async schedule(kid, ends) {
      const row = rows.get(kid)
      if (row !== undefined) rows.set(kid, { ...row, ...ends })
    },
  }
}

/** Writes the keys like an admin's transaction. Resolves to the keys that the writes create. */
export async function writeKeys(
  keys: TestSigningKeys,
  writes: readonly KeyWrite[],
): Promise<readonly StoredSigningKey[]> {
  for (const write of writes) {
    if (write.kind === 'create_key') await keys.create(write.key)
    else if (write.kind === 'remove_key') keys.rows.delete(write.kid)
    else await keys.schedule(write.kid, { retiresAt: write.retiresAt, expiresAt: write.expiresAt })
  }
  return writes.flatMap(write => (write.kind === 'create_key' ? [write.key] : []))
}
