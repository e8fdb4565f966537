/** One process per SQLite file: two of them lose each other's acknowledged writes. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

export type Lease = { readonly release: () => void }

/**
 * Holds `<file>.lock` for as long as this process lives; the operating system frees it even after `kill -9`.
 * Throws a sentence for the operator when another process holds it. Backup tools may still read the database.
 */
export function takeLease(file: string): Lease {
  mkdirSync(dirname(file), { recursive: true })
  const lock = new Database(`${file}.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw isBusy(error) ? new Error(refusal(file)) : error
  }
  return { release: () => lock.close() }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

function refusal(file: string): string {
  return (
    `Another Latchkey process is using the SQLite database ${file}. SQLite serves one process; ` +
    'stop the other one, or set DATABASE_URL to a postgresql:// address to run several.'
  )
}
