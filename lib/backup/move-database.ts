/** Moves the data of a SQLite database to PostgreSQL while no server runs. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import {
  digestOfSource,
  type MoveSource,
  openMoveSource,
  type SourceTable,
} from '#lib/storage/move/move-source.ts'
import {
  type MoveTarget,
  openMoveTarget,
  type Position,
  readTargetState,
  type TargetState,
} from '#lib/storage/move/move-target.ts'
import { requireDatabase } from '#lib/storage/open-audit-trail.ts'
import { tryLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { type DatabaseFacts, readFacts } from '#lib/storage/sqlite/sqlite-snapshot.ts'
import { BackupProblem } from './backup-problem.ts'
import type { CheckedDatabase } from './check-database.ts'

type Location<Kind extends DatabaseLocation['kind']> = Extract<DatabaseLocation, { kind: Kind }>

export type MoveRequest = {
  readonly source: Location<'sqlite'>
  readonly target: Location<'postgresql'>
  /** Calls `whileLocked` after the migration, before a server can use the database. */
  readonly migrate: (location: DatabaseLocation, whileLocked: () => Promise<void>) => Promise<number>
  /** The names of the migrations of this release, which are the same for both databases. */
  readonly knownMigrations: readonly string[]
  readonly check: (location: DatabaseLocation) => Promise<CheckedDatabase>
  /** Called when a table is complete. */
  readonly onTable: (name: string, rows: number) => void
}

/** `isRepeated`: the move was complete before, and nothing was done. */
export type Moved = CheckedDatabase & {
  readonly counts: Readonly<Record<string, number>>
  readonly isRepeated: boolean
}

/**
 * Moves all rows. After an interruption, the next call with the same source and target continues. Throws a ConfigError or a
 * BackupProblem with the reason; the source is never changed.
 */
export async function moveDatabase(request: MoveRequest): Promise<Moved> {
  const { source } = request
  requireDatabase(source)
  const lease = tryLease(source.file, 0)
  if (lease === null)
    throw new ConfigError(
      'The server is running: stop it, because its data must not change while it is moved.',
    )
  try {
    return await moveUnused(request)
  } finally {
    lease.release()
  }
}

async function moveUnused(request: MoveRequest): Promise<Moved> {
  const { source, target, check } = request
  const facts = requireFacts(source.file)
  if (facts.migrations.join() !== request.knownMigrations.join())
    throw new ConfigError(
      'The SQLite database is of another release: start this release with it once, and stop it again.',
    )
  const digest = await digestOfSource(source.file)
  if (digest === null)
    throw new ConfigError(`Another program is reading ${source.file}: stop it, and run this command again.`)
  const checked = await check(source)
  const state = await readTargetState(target)
  if (state.kind === 'moved' && state.digest === digest)
    return { ...checked, counts: facts.counts, isRepeated: true }
  await prepare(request, state, digest)
  await fill(request, { digest, facts })
  return { ...checked, counts: facts.counts, isRepeated: false }
}

function requireFacts(file: string): DatabaseFacts {
  const facts = readFacts(file)
  if (facts === null) throw new ConfigError(`${file} is not a database of Latchkey.`)
  return facts
}

/** Creates the tables of an empty target. Refuses every other target except one in which a move of this source was begun. */
async function prepare(request: MoveRequest, state: TargetState, digest: string): Promise<void> {
  const { target, migrate, knownMigrations } = request
  if (state.kind === 'empty') {
    await migrate(target, () => mark(target, digest))
    return
  }
  if (state.kind !== 'begun')
    throw new ConfigError('The PostgreSQL database already has data of Latchkey; name an empty one.')
  if (state.digest !== digest)
    throw new ConfigError(
      'The PostgreSQL database has a part of other data: the SQLite database was changed after its move began, or it is a different one. Drop the PostgreSQL database, create it again, and repeat the command.',
    )
  if (state.migrations === knownMigrations.join()) return
  throw new ConfigError(
    'The move was begun by another release: continue it with that one, or drop the PostgreSQL database and create it again.',
  )
}

/** Marks the target, so that no server starts on a part of the data. Refuses a target that was filled since it was looked at. */
async function mark(target: MoveRequest['target'], digest: string): Promise<void> {
  if ((await readTargetState(target)).kind !== 'empty')
    throw new ConfigError('Another program is using the PostgreSQL database: stop it, and name an empty one.')
  const to = await openMoveTarget(target.url)
  try {
    await to.begin(digest)
  } finally {
    await to.close()
  }
}

type Known = { readonly digest: string; readonly facts: DatabaseFacts }

async function fill(
  { source, target, onTable, check }: MoveRequest,
  { digest, facts }: Known,
): Promise<void> {
  const from = openMoveSource(source.file)
  const to = await openMoveTarget(target.url)
  try {
    await continuing(() => copyTables(from, to, { digest, onTable }))
    await requireSameRows(from, to, facts)
    await check(target)
    await to.finish(digest, from.tables)
  } finally {
    from.close()
    await to.close()
  }
}

type Copying = { readonly digest: string; readonly onTable: MoveRequest['onTable'] }

async function copyTables(from: MoveSource, to: MoveTarget, { digest, onTable }: Copying): Promise<void> {
  let position = await to.begin(digest)
  const begun = from.tables.findIndex(({ name }) => name === position.table)
  for (const table of from.tables.slice(Math.max(0, begun))) {
    position = await copyTable(table, position, { from, to })
    onTable(table.name, await to.count(table))
  }
}

type Ends = { readonly from: MoveSource; readonly to: MoveTarget }

async function copyTable(table: SourceTable, begun: Position, { from, to }: Ends): Promise<Position> {
  let position = begun
  for (;;) {
    const batch = from.batchAfter(table, position.table === table.name ? position.key : null)
    if (batch === null) return position
    position = await to.insert(table, batch, position)
  }
}

/** Explains to the operator that an interrupted copy continues. */
async function continuing(copy: () => Promise<void>): Promise<void> {
  try {
    await copy()
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason'
    throw new BackupProblem(
      `The move was interrupted: ${reason}\nThe SQLite database is unchanged. Run the command again: it continues.`,
    )
  }
}

/** Compares the number of rows of each table, and the end of the audit chain. */
async function requireSameRows(
  from: MoveSource,
  to: MoveTarget,
  { counts, audit }: DatabaseFacts,
): Promise<void> {
  for (const table of from.tables) {
    const [expected, found] = [counts[table.name], await to.count(table)]
    if (expected !== found)
      throw new BackupProblem(
        `The table ${table.name} has ${found} rows instead of ${expected}: another program changed the PostgreSQL database. Drop it, create it again, and repeat the command.`,
      )
  }
  const head = await to.auditHead()
  if (head?.seq !== audit?.seq || head?.hash !== audit?.hash)
    throw new BackupProblem(
      'The audit log of the PostgreSQL database has a different end than that of the SQLite database.',
    )
}
