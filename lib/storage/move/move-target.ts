/** Fills an empty PostgreSQL database with the rows of a SQLite database, in steps that can be interrupted. */
import pg from 'pg'
import { z } from 'zod'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { storage } from '#lib/config/limits.ts'
import { moveTable } from '#prisma/migration-lock.ts'
import { readOnlyAdapter } from '../database.ts'
import { connectionProblem } from '../database-errors.ts'
import type { Batch, Cell, SourceTable } from './move-source.ts'

/** The table with the position of a move. It exists while the move is incomplete; until then, no server starts. */
const progressTable = `"${moveTable}"`
/** The name of the value with the digest of the database that was moved here. */
const movedFromName = 'moved_from'

/** The last row that was moved: its table and its key. `table` is empty at the beginning. */
export type Position = { readonly table: string; readonly key: readonly Cell[] | null }

/**
 * The state of a target. `empty`: there is no row, and possibly no table. `begun`: a move of the source with this digest is
 * incomplete; `migrations`: the names of the migrations of the target, separated by commas. `moved`: such a move was completed.
 * `filled`: there is other data.
 */
export type TargetState =
  | { readonly kind: 'empty' | 'filled' }
  | { readonly kind: 'begun'; readonly digest: string; readonly migrations: string }
  | { readonly kind: 'moved'; readonly digest: string }

type PostgresLocation = Extract<DatabaseLocation, { kind: 'postgresql' }>

/** Reads the state without changing anything. Throws a ConfigError if PostgreSQL does not accept the connection. */
export async function readTargetState(location: PostgresLocation): Promise<TargetState> {
  const connection = await readOnlyAdapter(location, { isBare: true })
    .connect()
    .catch(error => {
      throw connectionProblem(error, location.url)
    })
  const cellOf = async (sql: string) => {
    const { rows } = await connection.queryRaw({ sql, args: [], argTypes: [] }).catch(error => {
      throw connectionProblem(error, location.url)
    })
    return rows[0]?.[0]
  }
  try {
    if ((await cellOf(exists(progressTable))) === true)
      return {
        kind: 'begun',
        digest: String(await cellOf(`SELECT "digest" FROM ${progressTable}`)),
        migrations: String(await cellOf(finishedMigrations)),
      }
    if ((await cellOf(exists('"Meta"'))) !== true) return { kind: 'empty' }
    const digest = await cellOf(`SELECT "value" FROM "Meta" WHERE "name" = '${movedFromName}'`)
    if (typeof digest === 'string') return { kind: 'moved', digest }
    return { kind: (await cellOf('SELECT EXISTS (SELECT FROM "Meta")')) === true ? 'filled' : 'empty' }
  } finally {
    await connection.dispose()
  }
}

const finishedMigrations = `SELECT string_agg("migration_name", ',' ORDER BY "migration_name" COLLATE "C")
  FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL`

function exists(table: string): string {
  return `SELECT to_regclass('public.${table}') IS NOT NULL`
}

export type MoveTarget = {
  /** Marks the database as incomplete, or continues. Returns the position after which to continue. */
  readonly begin: (digest: string) => Promise<Position>
  /**
   * Writes rows and the new position together. Throws if the stored position is not `from`, because another process moves the
   * same data.
   */
  readonly insert: (table: SourceTable, batch: Batch, from: Position) => Promise<Position>
  readonly count: (table: SourceTable) => Promise<number>
  /** Returns the end of the audit chain; `null` if there is no change. */
  readonly auditHead: () => Promise<{ readonly seq: number; readonly hash: string } | null>
  /** Updates the statistics of the planner, and marks the database as complete. */
  readonly finish: (digest: string, tables: readonly SourceTable[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** Connects to a database that has the tables of this release. */
export async function openMoveTarget(url: string): Promise<MoveTarget> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: storage.postgresConnectMs })
  // NOTE: without a listener, a lost connection would end the process. The next query fails with it
  client.on('error', () => undefined)
  await client.connect()
  await client.query('SET statement_timeout = 0')
  return {
    begin: digest => begin(client, digest),
    insert: (table, batch, from) => insert(client, { table, batch, from }),
    count: async ({ name }) =>
      Number((await client.query(`SELECT COUNT(*) AS "count" FROM "${name}"`)).rows[0]?.count),
    auditHead: async () =>
      headSchema.parse((await client.query('SELECT "seq", "hash" FROM "AuditHead"')).rows[0] ?? null),
    finish: (digest, tables) => finish(client, digest, tables),
    close: () => client.end(),
  }
}

const headSchema = z.object({ seq: z.number(), hash: z.string() }).nullable()
const positionSchema = z.object({
  table: z.string(),
  key: z.array(z.union([z.string(), z.number(), z.null()])).nullable(),
})
const start: Position = { table: '', key: null }

async function begin(client: pg.Client, digest: string): Promise<Position> {
  const { rows } = await client.query(exists(progressTable))
  if (Object.values(rows[0] ?? {})[0] !== true) {
    // One message with several statements is one transaction
    await client.query(`CREATE TABLE ${progressTable} ("digest" TEXT NOT NULL, "position" TEXT NOT NULL);
      INSERT INTO ${progressTable} VALUES (${client.escapeLiteral(digest)}, ${client.escapeLiteral(JSON.stringify(start))})`)
    return start
  }
  const stored = await client.query(`SELECT "position" FROM ${progressTable}`)
  return positionSchema.parse(JSON.parse(String(stored.rows[0]?.position)))
}

type Insertion = { readonly table: SourceTable; readonly batch: Batch; readonly from: Position }

async function insert(client: pg.Client, { table, batch, from }: Insertion): Promise<Position> {
  const next: Position = { table: table.name, key: batch.last }
  const columns = table.columns.map(({ name }) => `"${name}"`).join(', ')
  const { rowCount } = await client.query(
    `WITH "step" AS (UPDATE ${progressTable} SET "position" = $2 WHERE "position" = $3 RETURNING 1)
      INSERT INTO "${table.name}" (${columns}) SELECT ${columns}
      FROM json_populate_recordset(NULL::"${table.name}", $1::json) WHERE EXISTS (SELECT FROM "step")`,
    [batch.rows, JSON.stringify(next), JSON.stringify(from)],
  )
  if (rowCount !== batch.count) throw new Error('Another process is moving data into the same database.')
  return next
}

async function finish(client: pg.Client, digest: string, tables: readonly SourceTable[]): Promise<void> {
  await client.query(`ANALYZE ${tables.map(({ name }) => `"${name}"`).join(', ')}`)
  await client.query(`INSERT INTO "Meta" ("name", "value") VALUES ('${movedFromName}', ${client.escapeLiteral(digest)})
    ON CONFLICT ("name") DO UPDATE SET "value" = EXCLUDED."value"; DROP TABLE ${progressTable}`)
}
