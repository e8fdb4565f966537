/** Which secret of a client or an API replaces which: a rotation gives the new one the name of the old one with a number. */

import { secretList } from '#lib/config/limits.ts'

type Named = { readonly name?: string | null }
type Ending = Named & { readonly expiresAt: Date | null }

/** The name under which a secret without a name is counted. Secrets of the configuration file have none. */
const unnamed = 'Secret'
/** The highest number in a name, and how much of a name counts, so that the number fits. */
const most = 9999
const longestBase = secretList.longestName - ` (${most})`.length

/**
 * Returns the secret that replaces this one, `null` if there is none: one with the same name apart from the
 * number, which ends later or never. If there are several, the one that ends last.
 */
export function successorOf<S extends Ending>(secrets: readonly S[], replaced: Ending): S | null {
  const end = endOf(replaced)
  const later = secrets.filter(other => baseName(other) === baseName(replaced) && endOf(other) > end)
  return later.toSorted((left, right) => endOf(left) - endOf(right)).at(-1) ?? null
}

/** Returns the name for a new secret that replaces this one, such as "production (2)". */
export function successorName(secrets: readonly Named[], replaced: Named): string {
  const base = baseName(replaced)
  const numbers = secrets.filter(other => baseName(other) === base).map(numberOf)
  return `${base} (${Math.min(most, Math.max(1, ...numbers) + 1)})`
}

const numbered = /^(?<base>.+) \((?<number>[1-9]\d{0,3})\)$/u

function baseName({ name = null }: Named): string {
  const base = name === null ? unnamed : (numbered.exec(name)?.groups?.base ?? name)
  return base.slice(0, longestBase)
}

function numberOf({ name = null }: Named): number {
  return Number(numbered.exec(name ?? '')?.groups?.number ?? 1)
}

function endOf({ expiresAt }: Ending): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
}
