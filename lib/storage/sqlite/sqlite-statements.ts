/** Plain statements on SQLite: reads on a connection of this thread, changes as messages to the thread that writes. */
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

/** A text with `?` for each parameter, and the number of the value that each takes. */
type Rendered = { readonly sql: string; readonly order: readonly number[] }

const rendered = new WeakMap<Statement, Rendered>()

/**
 * NOTE: `unlikely(x)` returns `x` and costs nothing. Without it SQLite prepares some statements again for each value, because
 * their plan could depend on the value that a column must equal. See decision 061.
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

/** Cannot write. A read takes microseconds, so it needs no other thread. */
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

/** A statement by its number, with its values. */
export type SentBound = readonly [number: number, values: readonly Stored[]]

/** A change on its way to the thread that writes. */
export type SentChange = { readonly conditions: readonly SentBound[]; readonly writes: readonly SentBound[] }

/** Several changes, as JSON: copying a list of lists to another thread costs more. `texts`: statements that are new. */
export type SentChanges = { readonly texts: readonly string[]; readonly changes: string }

/** Replaces texts by numbers. The thread receives each text once, in the order of the numbers. */
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
