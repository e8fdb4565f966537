/**
 * Finds out which secret of a client or an API replaces which. A rotation gives the new secret the old name with the
 * next number, and ends the old one after the overlap.
 */

import { secretList } from '#lib/config/limits.ts'

type Named = { readonly name?: string | null }
type Ending = Named & { readonly createdAt: Date; readonly expiresAt: Date | null }
type Used = { readonly createdAt: Date; readonly lastUsedAt: Date | null }

/** The name under which a secret without a name is counted. Secrets of the configuration file have none. */
const unnamed = 'Secret'
/** The highest number in a name, and how much of a name counts, so that the number fits. */
const most = 9999
const longestBase = secretList.longestName - ` (${most})`.length
const longestOverlapMs = secretList.longestOverlapHours * 3_600_000

/**
 * Returns the secret that replaces `replaced`, `null` if there is none: one with a higher number after the shared
 * name that ends later, and was created at most the longest overlap before `replaced` ends. If there are several, the
 * one with the highest number.
 */
export function successorOf<S extends Ending>(secrets: readonly S[], replaced: Ending): S | null {
  const end = endOf(replaced)
  const later = secrets.filter(
    other =>
      baseName(other) === baseName(replaced) &&
      numberOf(other) > numberOf(replaced) &&
      endOf(other) > end &&
      end - other.createdAt.getTime() <= longestOverlapMs,
  )
  return later.toSorted((left, right) => numberOf(left) - numberOf(right)).at(-1) ?? null
}

/** Whether a replaced secret can end without harm: its successor is in use, and it was not used since the rotation. */
export function isHandedOver(replaced: Used, successor: Used): boolean {
  if (successor.lastUsedAt === null) return false
  return replaced.lastUsedAt === null || replaced.lastUsedAt <= successor.createdAt
}

/** Returns the name for a new secret that replaces this one, such as "production (2)". */
export function successorName(secrets: readonly Named[], replaced: Named): string {
  const base = baseName(replaced)
  const numbers = secrets.filter(other => baseName(other) === base).map(numberOf)
  return `${base} (${Math.min(most, Math.max(1, ...numbers) + 1)})`
}

// A rotation never writes "(1)"
const numbered = /^(?<base>.+) \((?<number>[2-9]|[1-9]\d{1,3})\)$/u

function baseName({ name = null }: Named): string {
  const base = name === null ? unnamed : (numbered.exec(name)?.groups?.base ?? name)
  return base.slice(0, longestBase).replace(/\p{Surrogate}$/u, '')
}

function numberOf({ name = null }: Named): number {
  return Number(numbered.exec(name ?? '')?.groups?.number ?? 1)
}

function endOf({ expiresAt }: Ending): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
}
