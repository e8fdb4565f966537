/** Changing the secrets of one owner, be it a client or a scope: lists in, lists out. */
import { secretList } from '#lib/config/limits.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

export type SecretListChange =
  | { readonly kind: 'changed'; readonly secrets: readonly StoredSecret[] }
  | { readonly kind: 'full' }
  | { readonly kind: 'unknown' }

/** Last in the list, while there is room. */
export function addSecret(secrets: readonly StoredSecret[], added: StoredSecret): SecretListChange {
  return secrets.length >= secretList.most
    ? { kind: 'full' }
    : { kind: 'changed', secrets: [...secrets, added] }
}

export type Rotation = {
  /** The id of the secret that is replaced. */
  readonly replaced: string
  readonly successor: StoredSecret
  /** How long both are good. */
  readonly overlapHours: number
}

/** The new secret is valid immediately; the old one expires after the overlap, or at its own expiry if that is earlier. */
export function rotateWithOverlap(
  secrets: readonly StoredSecret[],
  { replaced, successor, overlapHours }: Rotation,
  now: Date,
): SecretListChange {
  const rotated = endingAt(secrets, replaced, secondsAfter(now, overlapHours * 3600))
  return rotated.kind === 'changed' ? addSecret(rotated.secrets, successor) : rotated
}

/** It stays in the list, so that admins see when it ended. */
export function expireNow(secrets: readonly StoredSecret[], id: string, now: Date): SecretListChange {
  return endingAt(secrets, id, now)
}

/** Gone from the list altogether. */
export function removeSecret(secrets: readonly StoredSecret[], id: string): SecretListChange {
  return secrets.some(secret => secret.id === id)
    ? { kind: 'changed', secrets: secrets.filter(secret => secret.id !== id) }
    : { kind: 'unknown' }
}

/** Never moves an end further away. */
function endingAt(secrets: readonly StoredSecret[], id: string, end: Date): SecretListChange {
  if (!secrets.some(secret => secret.id === id)) return { kind: 'unknown' }
  const earlier = ({ expiresAt }: StoredSecret) => (expiresAt !== null && expiresAt < end ? expiresAt : end)
  const changed = secrets.map(secret =>
    secret.id === id ? { ...secret, expiresAt: earlier(secret) } : secret,
  )
  return { kind: 'changed', secrets: changed }
}
