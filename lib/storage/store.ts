/** What a store is created from, and the rows that it leaves for the purge. `open.ts` lists the stores. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { NodeShare } from '#lib/config/node-share.ts'
import type { AuditHash } from '#lib/ports/admin-store.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Database } from './database.ts'
import type { CurrentRevision } from './prisma/reads.ts'

export type StoreContext = {
  readonly location: DatabaseLocation
  /** No other process writes to this database. */
  readonly isAlone: boolean
  /** The processes of this node, which divide its limits. */
  readonly share: Pick<NodeShare, 'workers'>
  /** The revision of the configuration. `forget` is called after each write, so that later reads see it. */
  readonly revision: { readonly current: CurrentRevision; readonly forget: () => void }
  readonly auditHash: AuditHash
}

/** The rows of `table` whose `column` is not null and at most `until(now)`. The column is the first of an index. */
export type PurgeRule = {
  /** The name under which the number of deleted rows is counted; `null` for erased values. */
  readonly label: string | null
  readonly table: string
  readonly column: string
  readonly until: (now: Date) => Date | number | string
  /** Another condition on the rows. */
  readonly condition?: string
  /** Sets these columns to null, instead of deleting the rows. */
  readonly erases?: readonly string[]
  /** Deletes at most `rows` of them where deleting has consequences, and returns their number. */
  readonly remove?: (
    database: Database,
    step: { readonly now: Date; readonly rows: number },
  ) => Promise<number>
  /** Deletes the rows of another table to which these belong, and these by `ON DELETE CASCADE`. */
  readonly owner?: { readonly table: string; readonly key: string; readonly foreignKey: string }
}

/** The rows of a table whose `expiresAt` has passed, `keptSeconds` ago. */
export function expired(label: string, table: string, keptSeconds = 0): PurgeRule {
  return { label, table, column: 'expiresAt', until: now => secondsAfter(now, -keptSeconds) }
}

export type Store<Port extends object> = {
  readonly create: (database: Database, context: StoreContext) => Port
  /** In the order in which they run. Stores without expired rows have none. */
  readonly purge?: readonly PurgeRule[]
}
