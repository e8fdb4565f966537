/**
 * Tokens of machine clients have no grant, and JWTs are in no table. Revoking all tokens of a client stores a mark among
 * the revoked tokens: everything that was issued before it is invalid.
 */
import { clockSkewSeconds, longestLifetimeSeconds } from '#lib/config/limits.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Tables } from '../../database.ts'

/** When the last token of before has expired by itself. */
const markSeconds = longestLifetimeSeconds.accessToken + clockSkewSeconds

/** Of every client. No `jti` has a blank. */
const everybodys = 'own tokens'

/** `clientId: null`: of every client. */
export async function markOwnTokens(tables: Tables, clientId: string | null, now: Date): Promise<void> {
  const jti = clientId === null ? everybodys : markOf(clientId)
  const expiresAt = secondsAfter(now, markSeconds)
  await tables.revokedToken.upsert({ where: { jti }, create: { jti, expiresAt }, update: { expiresAt } })
}

/** The marks that count for one client. */
export function marksFor(clientId: string): readonly string[] {
  return [everybodys, markOf(clientId)]
}

export function markedAt({ expiresAt }: { readonly expiresAt: Date }): Date {
  return secondsAfter(expiresAt, -markSeconds)
}

function markOf(clientId: string): string {
  return `${everybodys} of ${clientId}`
}
