/** The SQLite file, if it is there: a database, and ours to write to. */
import { closeSync, openSync, readSync } from 'node:fs'
import { ConfigError } from '#lib/errors/config-error.ts'

/** SQLite's file format, 1.3.1. An empty file is a database without tables. */
const beginning = 'SQLite format 3\0'

/** Throws a ConfigError when it is something else. NOTE: opened nowhere else in this process, whose locks would go at the end. */
export function proveDatabaseFile(file: string): void {
  const found = beginningOf(file)
  if (found === '' || found === beginning) return
  throw new ConfigError(
    `The database ${file} is not a SQLite database; restore it from the backup, or name another file in DATABASE_URL.`,
  )
}

function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r+')
    const bytes = Buffer.alloc(beginning.length)
    const count = readSync(descriptor, bytes)
    closeSync(descriptor)
    return bytes.toString('latin1', 0, count)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ENOENT') return ''
    if (code === 'EISDIR')
      throw new ConfigError(`The database ${file} is a folder; name a file in it as DATABASE_URL.`)
    throw new ConfigError(
      `The database ${file} cannot be written (${code}); give this user the right to, or name another file in DATABASE_URL.`,
    )
  }
}
