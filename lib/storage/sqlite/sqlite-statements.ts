/** Plain statements on SQLite: reads on a connection of this thread, changes as messages to the writer thread. */
import Database, { type Statement as Prepared } from 'better-sqlite3'
import { sqliteReadTimeoutMs } from '#lib/config/limits.ts'
import {
  type Bound,
  type Cells,
  type Change,
  conditionsOf,
  requirePlain,
  type Statement,
  type Stored,
  storedValue,
  type Value,
} from '../sql/statement.ts'

/** A text with `?` for each parameter, and for each the index of its value. */
type Rendered = { readonly sql: string; readonly order: readonly number[] }

const rendered = new WeakMap<Statement, Rendered>()

/**
 * Replaces numbered parameters. NOTE: `unlikely(x)` returns `x` and costs nothing. Without it SQLite prepares some
 * statements again for each value, because their plan could depend on the value that a column must equal. Decision 061
 * has the figures.
 */
function render(statement: Statement): Rendered {
  const known = rendered.get(statement)
  if (known !== undefined) return known
  const order: number[] = []
  const sql = statement.sql.replaceAll(/(= )?\$(\d+)/g, (_, equals: string | undefined, number) => {
    order.push(Number(number) - 1)
    return equals === undefined ? '?' : '= unlikely(?)'
  })
  const made = { sql, order }
  rendered.set(statement, made)
  return made
}

function valuesOf({ order }: Rendered, values: readonly Value[]): readonly Stored[] {
  return order.map(index => storedValue(values[index] ?? null))
}

export type SqliteReader = {
  readonly first: (statement: Statement, values: readonly Value[]) => Cells | null
  readonly close: () => void
}

/** Opens a read-only connection. A read takes microseconds, so it does not need another thread. */
export function openSqliteReader(file: string): SqliteReader {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: sqliteReadTimeoutMs })
  const prepared = new WeakMap<Statement, Prepared<unknown[], Cells>>()
  const prepare = (statement: Statement) => {
    const known = prepared.get(statement)
    if (known !== undefined) return known
    const made = database.prepare<unknown[], Cells>(render(statement).sql).raw()
    prepared.set(statement, made)
    return made
  }
  return {
    first: (statement, values) => prepare(statement).get(...valuesOf(render(statement), values)) ?? null,
    close: () => {
      database.close()
    },
  }
}

/** A statement as a number, with its values. */
export type SentBound = readonly [number: number, values: readonly Stored[]]

/** A change in the format of the messages to the writer thread. */
export type SentChange = { readonly conditions: readonly SentBound[]; readonly writes: readonly SentBound[] }

/**
 * Several changes as JSON: copying nested lists to another thread takes longer. `texts`: the texts of new statements.
 */
export type SentChanges = { readonly texts: readonly string[]; readonly changes: string }

/** Creates a sender that replaces texts by numbers. The thread receives each text once, in the order of the numbers. */
export function createSender() {
  const numbers = new Map<string, number>()
  let unsent: string[] = []
  const numberOf = (sql: string) => {
    const known = numbers.get(sql)
    if (known !== undefined) return known
    const made = numbers.size
    numbers.set(sql, made)
    unsent.push(sql)
    return made
  }
  const send = (bound: Bound): SentBound => {
    requirePlain(bound)
    const [statement, values] = bound
    const text = render(statement)
    return [numberOf(text.sql), valuesOf(text, values)]
  }
  return {
    change: (change: Change): SentChange => ({
      conditions: conditionsOf(change).map(([, condition]) => send(condition)),
      writes: change.writes.map(send),
    }),
    all: (changes: readonly SentChange[]): SentChanges => {
      const texts = unsent
      unsent = []
      return { texts, changes: JSON.stringify(changes) }
    },
  }
}
