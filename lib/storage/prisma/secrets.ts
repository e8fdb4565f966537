/** Secrets of clients and scopes: digests only. */
import type { StoredSecret } from '#lib/ports/clients.ts'

type SecretColumns = { readonly id: string; readonly digest: string; readonly expiresAt: Date | null }

export const inOrder = { position: 'asc' } as const

export function secretFromRow({ id, digest, expiresAt }: SecretColumns): StoredSecret {
  return { id, digest, expiresAt }
}

export function secretsToRows(secrets: readonly StoredSecret[]) {
  return secrets.map((secret, position) => ({ ...secretFromRow(secret), position }))
}

export function areSameSecrets(left: readonly StoredSecret[], right: readonly StoredSecret[]): boolean {
  return JSON.stringify(left.map(secretFromRow)) === JSON.stringify(right.map(secretFromRow))
}
