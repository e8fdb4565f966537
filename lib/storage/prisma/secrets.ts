/** Secrets of clients and scopes: digests only. */
import type { StoredSecret } from '#lib/ports/clients.ts'

type SecretColumns = {
  readonly id: string
  readonly name?: string | null
  readonly digest: string
  readonly expiresAt: Date | null
}

export const inOrder = { position: 'asc' } as const

export function secretFromRow({ id, name = null, digest, expiresAt }: SecretColumns): StoredSecret {
  return { id, name, digest, expiresAt }
}

export function secretsToRows(secrets: readonly StoredSecret[], createdAt: Date) {
  return secrets.map(({ id, name = null, digest, expiresAt }, position) => ({
    id,
    name,
    digest,
    expiresAt,
    createdAt,
    position,
  }))
}

export function areSameSecrets(left: readonly StoredSecret[], right: readonly StoredSecret[]): boolean {
  return JSON.stringify(left.map(secretFromRow)) === JSON.stringify(right.map(secretFromRow))
}
