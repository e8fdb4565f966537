/** The context from which a store is created, and its purge rules. `open.ts` lists the stores. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { NodeShare } from '#lib/config/node-share.ts'
import type { AuditHash } from '#lib/ports/admin-store.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Database } from './database.ts'
import type { CurrentRevision } from './prisma/reads.ts'

export type StoreContext = {
  readonly location: DatabaseLocation
  /** Whether no other process writes to this database. */
  readonly isAlone: boolean
  /** The share of this process: the processes of a node divide its limits. */
  readonly share: Pick<NodeShare, 'workers'>
  /** The revision of the configuration. `forget` must be called after each write, so that later reads return it. */
  readonly revision: { readonly current: CurrentRevision; readonly forget: () => void }
  readonly auditHash: AuditHash
}

/**
 * A rule for the rows of `table` whose `column` is not null and at most `until(now)`. An index must begin with the
 * column.
 */
export type PurgeRule = {
  /** The name under which the number of deleted rows is counted; `null` for erased values. */
  readonly label: string | null
  readonly table: string
  readonly column: string
  readonly until: (now: Date) => Date | number | string
  /** An additional condition on the rows. */
  readonly condition?: string
  /** Columns to set to null, instead of deleting the rows. */
  readonly erases?: readonly string[]
  /** Replaces the deletion where it has further effects: deletes at most `rows` rows and returns their number. */
  readonly remove?: (
    database: Database,
    step: { readonly now: Date; readonly rows: number },
  ) => Promise<number>
  /** The table whose rows to delete instead; `ON DELETE CASCADE` deletes the rows of `table`. */
  readonly owner?: { readonly table: string; readonly key: string; readonly foreignKey: string }
}

/** The rule for rows whose `expiresAt` passed at least `keptSeconds` ago. */
export function expired(label: string, table: string, keptSeconds = 0): PurgeRule {
  return { label, table, column: 'expiresAt', until: now => secondsAfter(now, -keptSeconds) }
}

export type Store<Port extends object> = {
  readonly create: (database: Database, context: StoreContext) => Port
  /** The purge rules in the order in which they run. */
  readonly purge?: readonly PurgeRule[]
}
