/** What a store is created from, and the rows that it leaves for the purge. `open.ts` lists the stores. */
import type { AuditHash } from '#lib/ports/admin-store.ts'
import type { Database, DatabaseLocation } from './database.ts'

export type StoreContext = {
  readonly location: DatabaseLocation
  /** No other process writes to this database. */
  readonly isAlone: boolean
  /** The revision of the configuration. `forget` is called after each write, so that later reads see it. */
  readonly revision: { readonly current: () => Promise<number>; readonly forget: () => void }
  readonly auditHash: AuditHash
}

/** A bounded number of expired rows. */
export type Expired = {
  readonly where: { readonly expiresAt: { readonly lte: Date } }
  readonly limit: number
}

/** Deletes, or erases values of, at most `limit` rows, and returns their number. */
export type Sweep = (database: Database, expired: Expired, now: Date) => Promise<{ readonly count: number }>

/** `label`: the name under which the number of deleted rows is counted; `null` for erased values. */
export type PurgeRule = readonly [label: string | null, sweep: Sweep]

export type Store<Port extends object> = {
  readonly create: (database: Database, context: StoreContext) => Port
  /** In the order in which they run. Stores without expired rows have none. */
  readonly purge?: readonly PurgeRule[]
}
