/** The key ring's keys. Private keys are sealed before they are passed to this store. */
import type { PublicJwk, SigningKeys, StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { SigningKey as KeyRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, ReadOnlyDatabase } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { expired, type Store } from '../../store.ts'

export const signingKeyStore: Store<SigningKeys> = {
  create: database => ({
    all: () => allSigningKeys(database),
    create: key => create(database, key),
    schedule: async (kid, { retiresAt, expiresAt }) => {
      await database.signingKey.update({ where: { kid }, data: { retiresAt, expiresAt } })
    },
  }),
  purge: [expired('keys', 'SigningKey')],
}

export async function allSigningKeys({ signingKey }: ReadOnlyDatabase): Promise<readonly StoredSigningKey[]> {
  const rows = await signingKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })
  return rows.flatMap(keyFromRow)
}

async function create(database: Database, key: StoredSigningKey): Promise<boolean> {
  try {
    await database.signingKey.create({ data: keyToRow(key) })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

export function keyToRow(key: StoredSigningKey): KeyRow {
  return { ...key, publicJwk: JSON.stringify(key.publicJwk) }
}

/** Parses a row to a list of one key; an empty list if only a newer release knows the algorithm. */
function keyFromRow(row: KeyRow): readonly StoredSigningKey[] {
  const algorithm: SigningAlgorithm | undefined = signingAlgorithms.find(name => name === row.algorithm)
  return algorithm === undefined ? [] : [{ ...row, algorithm, publicJwk: publicJwk(row.publicJwk) }]
}

function publicJwk(text: string): PublicJwk {
  return JSON.parse(text)
}
