/**
 * Finds out which secret of a client or an API replaces which. A rotation gives the new secret the old name with the
 * next number, and ends the old one after the overlap.
 */

import { secretList } from '#lib/config/limits.ts'

type Named = { readonly name?: string | null }
type Ending = Named & { readonly createdAt: Date; readonly expiresAt: Date | null }
type Used = { readonly lastUsedAt: Date | null }

/** The name under which a secret without a name is counted. Secrets of the configuration file have none. */
const unnamed = 'Secret'
/** The highest number in a name, and how much of a name counts, so that the number fits. */
const most = 9999
const longestBase = secretList.longestName - ` (${most})`.length
const longestOverlapMs = secretList.longestOverlapHours * 3_600_000

/** Returns the newest secret that replaces this one of `secrets`; `null` if it was not replaced. */
export function successorOf<S extends Ending>(secrets: readonly S[], replaced: Ending): S | null {
  return successorsOf(secrets, replaced).at(-1) ?? null
}

/**
 * Whether this one of `secrets` can end without harm: a secret that replaces it is in use, and it was not used since that
 * one was created.
 */
export function isHandedOver(secrets: readonly (Ending & Used)[], replaced: Ending & Used): boolean {
  return successorsOf(secrets, replaced).some(
    ({ createdAt, lastUsedAt }) =>
      lastUsedAt !== null && (replaced.lastUsedAt === null || replaced.lastUsedAt <= createdAt),
  )
}

/**
 * Returns the secrets that replace `replaced`, by their numbers: those with a higher number after the shared name that end
 * later, and were created at most the longest overlap before `replaced` ends. If several secrets have its name, it is
 * unknown which of them was rotated: none is replaced.
 */
function successorsOf<S extends Ending>(secrets: readonly S[], replaced: Ending): readonly S[] {
  const end = endOf(replaced)
  const family = secrets.filter(other => baseName(other) === baseName(replaced))
  if (family.filter(other => numberOf(other) === numberOf(replaced)).length > 1) return []
  return family
    .filter(
      other =>
        numberOf(other) > numberOf(replaced) &&
        endOf(other) > end &&
        end - other.createdAt.getTime() <= longestOverlapMs,
    )
    .toSorted((left, right) => numberOf(left) - numberOf(right))
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
