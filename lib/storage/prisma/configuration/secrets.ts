/** Secrets of clients and scopes: digests only. */

import type { SecretDates } from '#lib/ports/admin-lists.ts'
import { type StoredSecret, secretFormOf } from '#lib/ports/clients.ts'

export const orderByPosition = { position: 'asc' } as const
/** The Prisma relation to load with a client or scope. */
export const includingSecrets = { secrets: { orderBy: orderByPosition } } as const

/** Selects the columns of a secret that a client or scope needs. */
export function secretFromRow({ id, name = null, digest, expiresAt }: StoredSecret): StoredSecret {
  return { id, name, digest, expiresAt }
}

type StoredDates = { readonly id: string; readonly createdAt: Date; readonly lastUsedAt: Date | null }

/**
 * Makes the rows of secrets. A stored secret keeps its dates. NOTE: except for new clients, the rows are inserted one
 * by one, because there are few and Prisma plans each `createMany` again.
 */
export function secretsToRows(
  secrets: readonly StoredSecret[],
  { stored, now }: { readonly stored: readonly StoredDates[]; readonly now: Date },
) {
  return secrets.map((secret, position) => {
    const known = stored.find(({ id }) => id === secret.id)
    const { id, name = null, digest, expiresAt } = secret
    const dates = { createdAt: known?.createdAt ?? now, lastUsedAt: known?.lastUsedAt ?? null }
    return { id, name, digest, expiresAt, ...dates, position }
  })
}

export function areSameSecrets(left: readonly StoredSecret[], right: readonly StoredSecret[]): boolean {
  return JSON.stringify(left.map(secretFromRow)) === JSON.stringify(right.map(secretFromRow))
}

type SecretRow = Omit<SecretDates, 'storedAs'> & { readonly digest: string }

/** Returns the data of a secret that administrators see, without the digest. */
export function secretDates({ id, name, digest, createdAt, expiresAt, lastUsedAt }: SecretRow): SecretDates {
  return { id, name, storedAs: secretFormOf({ digest }), createdAt, expiresAt, lastUsedAt }
}
