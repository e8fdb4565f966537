/** Inserts rows by prepared statements. NOTE: they are kept: preparing costs as much as inserting, one statement over JSON twice that. */
import Database, { type Statement } from 'better-sqlite3'
import type { RowByRow, WriterFile } from './sqlite-writer.ts'

export type SqliteInserter = {
  /** One commit for all of them. `false` when something failed, and then nothing is written. */
  readonly insert: (insertions: readonly RowByRow[]) => boolean
  readonly close: () => void
}

/** A separate connection: the caller makes sure that no other one has a transaction open. */
export function openSqliteInserter({ file, timeout, pragmas }: WriterFile): SqliteInserter {
  const database = new Database(file, { timeout })
  database.exec(pragmas)
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const insertAll = database.transaction((insertions: readonly RowByRow[]) => {
    for (const { sql, rows } of insertions) {
      const statement = prepare(sql)
      for (const row of rowsOf(rows)) statement.run(row)
    }
  })
  return {
    insert: insertions => {
      try {
        insertAll(insertions)
        return true
      } catch {
        return false
      }
    },
    close: () => {
      database.close()
    },
  }
}

/** NOTE: only this process writes these texts, a moment before. */
export function rowsOf(rows: string): readonly (readonly (string | number | null)[])[] {
  return JSON.parse(rows)
}
