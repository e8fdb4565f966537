/**
 * Allows one process per SQLite file: two of them would lose each other's acknowledged writes. Creates missing files,
 * and enables the write-ahead log.
 */
import { closeSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteBusyTimeoutMs, sqliteLeaseWaitMs } from '#lib/config/limits.ts'

export type Lease = { readonly release: () => void }

/**
 * Locks `<file>.lock` until `release` is called or this process ends; the operating system releases the lock even after
 * `kill -9`. The lock is next to the real file, so that links to it or to its folder lead to the same lock. Waits for
 * `waitMs`, because a command needs the lock only briefly, and then throws an error with a message for the operator.
 * Backup tools can still read the database.
 */
export function takeLease(file: string, waitMs: number = sqliteLeaseWaitMs): Lease {
  const lease = tryLease(file, waitMs)
  if (lease === null) throw new Error(refusal(file))
  return lease
}

/** Whether a process has the lease now, be it this one or another. Creates a missing file. */
export function isLeased(file: string): boolean {
  const lease = tryLease(file, 0)
  lease?.release()
  return lease === null
}

/** Takes the lease, and returns `null` if another process has it for longer than `timeout` milliseconds. Creates a missing file. */
export function tryLease(file: string, timeout: number): Lease | null {
  const real = realFile(file)
  createPrivate(real)
  createPrivate(`${real}.lock`)
  const lock = new Database(`${real}.lock`, { timeout })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
  return { release: () => lock.close() }
}

/**
 * Creates an empty file that only this account can read; SQLite gives the files next to it the same permissions. NOTE:
 * an existing file is not opened, because closing it would release the locks that this process has on it.
 */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/**
 * Enables the write-ahead log, which needs exclusive access to the file. NOTE: SQLite does not wait for another process
 * here, so this function waits for the lock of a transaction and repeats the attempt. The caller must have the lease.
 */
export function enableWriteAheadLog(file: string): void {
  const database = new Database(file, { timeout: sqliteBusyTimeoutMs })
  const deadline = performance.now() + sqliteBusyTimeoutMs
  try {
    while (!hasWriteAheadLog(database, deadline)) database.exec('BEGIN IMMEDIATE; ROLLBACK')
  } finally {
    database.close()
  }
}

/** Tries to enable the log. Returns `false` while another process has the file locked; throws after the deadline. */
function hasWriteAheadLog(database: Database.Database, deadline: number): boolean {
  try {
    database.pragma('journal_mode = WAL')
    return true
  } catch (error) {
    if (isBusy(error) && performance.now() < deadline) return false
    throw error
  }
}

/** Resolves all links to a file. If the file does not exist yet, creates the folder for it. */
function realFile(file: string): string {
  if (existsNow(statSync, file)) return realpathSync(file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const folder = realpathSync(dirname(file))
  // A link whose target is missing: SQLite creates the target
  return existsNow(lstatSync, file)
    ? realFile(resolve(folder, readlinkSync(file)))
    : join(folder, basename(file))
}

/** Whether the file exists. Throws for links that form a loop. */
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
