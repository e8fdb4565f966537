/** Plain statements on PostgreSQL, prepared by name on each connection of the pool. */
import pg from 'pg'
import {
  type Bound,
  type Cells,
  type Change,
  locked,
  requirePlain,
  type Statement,
  unlockedOnly,
  type Value,
} from './statement.ts'

/** Times stay text: the driver would read them in the time zone of this process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMP ? (text: string) => text : pg.types.getTypeParser(type, format),
}

/** What the driver sends under a name, and prepares once for each connection. */
type Named = { readonly name: string; readonly text: string }

/** The connections of the pool must be in pipeline mode: queries are sent without waiting for the answers to earlier ones. */
export function postgresStatements(pool: pg.Pool) {
  const reads = naming('r', sql => sql)
  const writes = naming('w', sql => sql.replace(unlockedOnly, 'FOR UPDATE SKIP LOCKED'))
  const conditions = naming('c', requireRow)
  return {
    first: async (statement: Statement, values: readonly Value[]): Promise<Cells | null> => {
      const { rows } = await pool.query<Cells[number][]>({
        ...query(reads, [statement, values]),
        rowMode: 'array',
      })
      return rows[0] ?? null
    },
    /** The name of the first condition that failed; `null` when everything is committed. */
    change: async (change: Change): Promise<string | null> => {
      const required = Object.entries(change.conditions ?? {})
      const queries = [
        ...required.map(([, condition]) => query(conditions, condition)),
        ...change.writes.map(write => query(writes, write)),
      ]
      const [only, ...others] = queries
      if (only === undefined) return null
      if (required.length === 0 && others.length === 0) {
        await pool.query(only)
        return null
      }
      const failure = await inTransaction(pool, queries)
      if (failure === null) return null
      const name = required[failure.index]?.[0]
      if (name !== undefined && hasNoRow(failure.error)) return name
      throw failure.error
    },
  }
}

type Naming = (statement: Statement) => Named

function naming(prefix: string, textOf: (sql: string) => string): Naming {
  const named = new Map<Statement, Named>()
  return statement => {
    const known = named.get(statement)
    if (known !== undefined) return known
    const made = { name: `${prefix}${named.size}`, text: textOf(statement.sql) }
    named.set(statement, made)
    return made
  }
}

function query(nameOf: Naming, bound: Bound) {
  requirePlain(bound)
  const [statement, values] = bound
  return { ...nameOf(statement), values: values.map(sent), types }
}

/** The columns have no time zone, and PostgreSQL ignores the one of the text. */
function sent(value: Value): string | number | boolean | null {
  return value instanceof Date ? value.toISOString() : value
}

/** Divides by zero when there is no row: the error ends the transaction, and what was sent after it is not carried out. */
function requireRow(sql: string): string {
  return `WITH required AS (${sql.replace(locked, 'FOR NO KEY UPDATE')}) SELECT 1 / count(*) FROM required`
}

function hasNoRow(error: unknown): boolean {
  const divisionByZero = '22012'
  return error instanceof Error && 'code' in error && error.code === divisionByZero
}

type Failure = { readonly index: number; readonly error: unknown }

/** `null` when it was committed, else the first query that failed: then nothing is written. */
async function inTransaction(
  pool: pg.Pool,
  queries: readonly ReturnType<typeof query>[],
): Promise<Failure | null> {
  const client = await pool.connect()
  let isUsable = false
  try {
    // After a failure COMMIT is a ROLLBACK
    const asked = [client.query('BEGIN'), ...queries.map(each => client.query(each)), client.query('COMMIT')]
    const [begun, ...answers] = await Promise.allSettled(asked)
    const ended = answers.pop()
    for (const end of [begun, ended]) if (end?.status === 'rejected') throw end.reason
    isUsable = true
    for (const [index, answer] of answers.entries())
      if (answer.status === 'rejected') return { index, error: answer.reason }
    return null
  } finally {
    client.release(!isUsable)
  }
}
