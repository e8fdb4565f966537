/**
 * Reads the name of a migration. It contains the number of the release that brings it, and its kind, because the history of a
 * database has the names of all migrations: `20261203101500_r2_expand_add_webhooks`. So an earlier release can decide whether it
 * works with a database that a later one has migrated.
 */

/** The number of this release. Raised for the first change after a release is published, with the version. */
export const releaseNumber = 1

/**
 * `expand`: the release before works with the tables as they are afterwards, so that both can run at the same time.
 * `contract`: it does not, or nothing is known about it.
 */
export type MigrationKind = 'expand' | 'contract'

/** Returns the release and the kind of a migration; `null` for a name from before this rule. */
export function readMigrationName(
  name: string,
): { readonly release: number; readonly kind: MigrationKind } | null {
  const found = /^\d{14}_r(?<release>[1-9]\d{0,5})_(?:(?<expand>expand)|contract)_/.exec(name)?.groups
  if (found === undefined) return null
  return { release: Number(found.release), kind: found.expand === undefined ? 'contract' : 'expand' }
}

/** Returns the name of a migration of this release. `name`: words in lower case with hyphens. */
export function newMigrationName(name: string, kind: MigrationKind, time: Date): string {
  const stamp = time.toISOString().replace(/\D/g, '').slice(0, 14)
  return `${stamp}_r${releaseNumber}_${kind}_${name.replaceAll('-', '_')}`
}
