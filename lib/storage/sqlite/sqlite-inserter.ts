/** Rows by prepared statements, each kept. NOTE: preparing costs as much as inserting, and one statement over JSON twice that. */
import Database, { type Statement } from 'better-sqlite3'
import type { RowByRow, WriterFile } from './sqlite-writer.ts'

export type SqliteInserter = {
  /** One commit for all of them. `false` when something failed, and then nothing is written. */
  readonly insert: (insertions: readonly RowByRow[]) => boolean
  readonly close: () => void
}

/** A connection of its own: the caller sees to it that no other has a transaction open. */
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

/** NOTE: we alone write these texts, a moment before. */
export function rowsOf(rows: string): readonly (readonly (string | number | null)[])[] {
  return JSON.parse(rows)
}
