/**
 * Statements of frequent requests: plain SQL, prepared once for each connection. One text serves both databases;
 * parameters are `$1`, `$2` and so on. Decision 060 has the reasons.
 */

import { isoText } from '#lib/protocol/time.ts'

export type Value = string | number | boolean | Date | null

/** A value in a type that SQLite stores. */
export type Stored = string | number | null

/**
 * Converts a value as Prisma stores it in SQLite, where times are compared as text. PostgreSQL accepts this text as
 * well.
 */
export function storedValue(value: Value): Stored {
  if (value instanceof Date) return `${isoText(value.getTime()).slice(0, -1)}+00:00`
  return typeof value === 'boolean' ? Number(value) : value
}

/** The values of a row, in the order of the columns in the statement. */
export type Cells = readonly (string | number | boolean | null)[]

/**
 * A statement. `keys`: the number of leading parameters that identify rows; they are strings or times, never `null`.
 */
export type Statement = { readonly sql: string; readonly keys: number }

/**
 * Creates a statement. Call it at module level only: a connection prepares each object once. Only changes need `keys`.
 */
export function statement(sql: string, keys = 1): Statement {
  return { sql, keys }
}

/** A statement with its values. */
export type Bound = readonly [statement: Statement, values: readonly Value[]]

/**
 * A transaction whose statements do not depend on the results of earlier ones: one message to SQLite's thread, one
 * round trip to PostgreSQL.
 */
export type Change = {
  /**
   * Conditions by name, checked in this order before the writes. Each must return a row. The name of the first one that
   * does not is the result, and nothing is written. A `null` condition does not apply.
   */
  readonly conditions?: Readonly<Record<string, Bound | null>>
  readonly writes: readonly Bound[]
}

/** Returns the conditions that apply, in their order. */
export function conditionsOf({
  conditions = {},
}: Change): ReadonlyArray<readonly [name: string, condition: Bound]> {
  return Object.entries(conditions).flatMap(([name, condition]) =>
    condition === null ? [] : [[name, condition]],
  )
}

/**
 * A suffix for a condition that reads: until the transaction ends, no other one can change or delete the row, or lock
 * it with this suffix. SQLite ignores it, because it has only one writer.
 */
export const locked = '/* FOR NO KEY UPDATE */'

/**
 * A suffix for a selection of rows to delete: rows that another transaction has locked are left out. SQLite ignores it.
 */
export const unlockedOnly = '/* FOR UPDATE SKIP LOCKED */'

/** A value by which rows are looked up. */
export type Key = string | Date

const isKey = (value: unknown) => typeof value === 'string' || value instanceof Date

/**
 * FW-03: checks the keys of a look-up. Throws a TypeError for a value that is neither a string nor a time, such as
 * `null`, or an object, which a driver would interpret.
 */
export function requireKeys(keys: readonly Key[]): readonly Key[] {
  if (keys.every(isKey)) return keys
  throw new TypeError('A look-up needs a string.')
}

/**
 * FW-03: checks a bound statement. Throws a TypeError for a key that is neither a string nor a time, and for values
 * that a driver would interpret, such as objects.
 */
export function requirePlain([{ keys }, values]: Bound): void {
  const isPlain = (value: Value, index: number) =>
    isKey(value) || (index >= keys && (value === null || typeof value !== 'object'))
  if (!values.every(isPlain)) throw new TypeError('A look-up needs a string.')
}
