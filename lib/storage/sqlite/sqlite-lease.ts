/** One process per SQLite file: two of them lose each other's acknowledged writes. */
import { lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'

export type Lease = { readonly release: () => void }

/**
 * Locks `<file>.lock` for the lifetime of this process; the operating system frees it even after `kill -9`. The
 * lock is next to the real file, so that a link to it or to its folder leads to the same lock.
 * Throws a sentence for the operator when another process has it. Backup tools may still read the database.
 */
export function takeLease(file: string): Lease {
  const lease = tryLease(file)
  if (lease === null) throw new Error(refusal(file))
  return lease
}

/** Whether another process has the lease now. */
export function isLeased(file: string): boolean {
  const lease = tryLease(file)
  lease?.release()
  return lease === null
}

function tryLease(file: string): Lease | null {
  const lock = new Database(`${realFile(file)}.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
  return { release: () => lock.close() }
}

/** The file behind all links, also when it has yet to be made. */
function realFile(file: string): string {
  if (existsNow(statSync, file)) return realpathSync(file)
  mkdirSync(dirname(file), { recursive: true })
  const folder = realpathSync(dirname(file))
  // A link whose target is missing: SQLite makes the target
  return existsNow(lstatSync, file)
    ? realFile(resolve(folder, readlinkSync(file)))
    : join(folder, basename(file))
}

/** Throws for links that lead in a circle. */
function existsNow(look: typeof statSync | typeof lstatSync, file: string): boolean {
  return look(file, { throwIfNoEntry: false }) !== undefined
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
