/**
 * Counts the statements that a server sends to SQLite, and writes the counts to the file `STATEMENT_COUNTS` at every SIGUSR2. It
 * is loaded into the server before its own code.
 */
import { subscribe } from 'node:diagnostics_channel'
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.STATEMENT_COUNTS
if (isMainThread && file !== undefined) {
  const counts = { read: 0, write: 0 }
  subscribe('latchkey:sqlite', kind => {
    counts[kind] += 1
  })
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify(counts))
    renameSync(`${file}.new`, file)
  })
}
