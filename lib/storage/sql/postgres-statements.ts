/**
 * Plain statements on PostgreSQL, prepared by name on each connection of the pool. Decision 068 explains this protocol.
 */
import { hash } from 'node:crypto'
import pg from 'pg'
import { isConnectionLost, isReadOnly } from '../database-errors.ts'
import {
  type Bound,
  type Cells,
  type Change,
  conditionsOf,
  locked,
  requirePlain,
  type Statement,
  unlockedOnly,
  type Value,
} from './statement.ts'

type Cell = Cells[number]

/**
 * A prepared statement. `readers` convert the text of each column; they are empty until a connection has prepared the
 * statement.
 */
type Prepared = { readonly name: string; readonly text: string; readers: readonly ((text: string) => Cell)[] }

/** A statement with its values in the format of the protocol. */
type Step = { readonly prepared: Prepared; readonly values: readonly (string | null)[] }

export function postgresStatements(pool: pg.Pool) {
  const reads = preparing('r', sql => sql)
  const writes = preparing('w', sql => sql.replace(unlockedOnly, 'FOR UPDATE SKIP LOCKED'))
  const conditions = preparing('c', requireRow)
  return {
    first: async (statement: Statement, values: readonly Value[]): Promise<Cells | null> => {
      const { row, error } = await send(pool, [step(reads, [statement, values])], 'read')
      if (error !== null) throw error
      return row
    },
    /** Applies a change. Returns the name of the first condition that failed; `null` when everything is committed. */
    change: async (change: Change): Promise<string | null> => {
      const required = conditionsOf(change)
      const steps = [
        ...required.map(([, condition]) => step(conditions, condition)),
        ...change.writes.map(write => step(writes, write)),
      ]
      if (steps.length === 0) return null
      const { error, completed } = await send(pool, steps, 'change')
      if (error === null) return null
      const name = required[completed]?.[0]
      if (name !== undefined && hasNoRow(error)) return name
      throw error
    },
  }
}

type Preparing = (statement: Statement) => Prepared

function preparing(prefix: string, textOf: (sql: string) => string): Preparing {
  const known = new Map<Statement, Prepared>()
  return statement => {
    const found = known.get(statement)
    if (found !== undefined) return found
    const text = textOf(statement.sql)
    // NOTE: the name depends on the text: behind a pooler, other processes use the same connections
    const made = { name: `${prefix}${hash('sha256', text, 'base64url')}`, text, readers: [] }
    known.set(statement, made)
    return made
  }
}

function step(preparedOf: Preparing, bound: Bound): Step {
  requirePlain(bound)
  const [statement, values] = bound
  return { prepared: preparedOf(statement), values: values.map(sent) }
}

/**
 * Converts a value to text. Times are sent as UTC with an offset, which PostgreSQL ignores, because the columns have no
 * time zone.
 */
function sent(value: Value): string | null {
  if (value === null) return null
  return value instanceof Date ? value.toISOString() : String(value)
}

/**
 * Turns a condition into a statement that divides by zero when there is no row: the error ends the transaction, and
 * PostgreSQL skips the rest of the message.
 */
function requireRow(sql: string): string {
  return `WITH required AS (${sql.replace(locked, 'FOR NO KEY UPDATE')}) SELECT 1 / count(*) FROM required`
}

function hasNoRow(error: unknown): boolean {
  const divisionByZero = '22012'
  return error instanceof Error && 'code' in error && error.code === divisionByZero
}

/** The first row that was returned, and the number of completed steps. After an error nothing is written. */
type Answer = { readonly row: Cells | null; readonly completed: number; readonly error: unknown }

/**
 * HA-02: sends all steps, and once more on another connection after an error with which nothing can have been written: the
 * connection could only read, or it ended during a read.
 */
async function send(pool: pg.Pool, steps: readonly Step[], kind: 'read' | 'change'): Promise<Answer> {
  const answer = await sendOnce(pool, steps)
  const canRepeat = isReadOnly(answer.error) || (kind === 'read' && isConnectionLost(answer.error))
  return canRepeat ? sendOnce(pool, steps) : answer
}

async function sendOnce(pool: pg.Pool, steps: readonly Step[]): Promise<Answer> {
  const client = await pool.connect()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  client.query(exchange(steps, resolve))
  const answer = await promise
  client.release(answer.error !== null && !hasNoRow(answer.error))
  return answer
}

/** The names of the statements that a connection has prepared. */
const preparedOn = new WeakMap<pg.Connection, Set<string>>()

/**
 * Sends all steps in one round trip: PostgreSQL executes everything until `sync` in one transaction, and ends it there.
 * The driver calls the returned functions.
 */
function exchange(steps: readonly Step[], resolve: (answer: Answer) => void) {
  let row: Cells | null = null
  let completed = 0
  return {
    submit: (connection: pg.Connection): void => {
      const known = preparedOn.get(connection)
      connection.stream.cork()
      for (const { prepared, values } of steps) execute(connection, { prepared, values }, known)
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription: ({ fields }: { readonly fields: readonly pg.FieldDef[] }): void => {
      const prepared = steps[completed]?.prepared
      if (prepared) prepared.readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID))
    },
    handleDataRow: ({ fields }: { readonly fields: readonly (string | null)[] }): void => {
      const readers = steps[completed]?.prepared.readers ?? []
      row ??= fields.map((text, index) => (text === null ? null : (readers[index]?.(text) ?? null)))
    },
    handleCommandComplete: (): void => {
      completed += 1
    },
    handleReadyForQuery: (connection: pg.Connection): void => {
      const known = preparedOn.get(connection) ?? new Set()
      for (const { prepared } of steps) known.add(prepared.name)
      preparedOn.set(connection, known)
      resolve({ row, completed, error: null })
    },
    handleError: (error: unknown): void => resolve({ row: null, completed, error }),
  }
}

function execute(
  connection: pg.Connection,
  { prepared: { name, text }, values }: Step,
  known: ReadonlySet<string> = new Set(),
): void {
  const isKnown = known.has(name)
  if (!isKnown) {
    // A failed exchange may have prepared the statement
    connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
  }
  connection.bind({ statement: name, values: [...values] }, true)
  if (!isKnown) connection.describe({ type: 'P', name: '' }, true)
  connection.execute(null, true)
}

/** Returns the parser of a column. Times remain text: the driver would parse them in the time zone of this process. */
function readerOf(dataType: number): (text: string) => Cell {
  return dataType === pg.types.builtins.TIMESTAMP ? text => text : pg.types.getTypeParser(dataType, 'text')
}
