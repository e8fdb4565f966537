import { sqliteChannel } from '../sqlite/sqlite-adapter.ts'

/** Counts what `sqliteChannel` publishes until `run` has ended: reads, and messages to the writer thread of SQLite. */
export async function countStatements(run: () => Promise<unknown>): Promise<{ read: number; write: number }> {
  const counts = { read: 0, write: 0 }
  const count = (kind: unknown) => {
    if (kind === 'read' || kind === 'write') counts[kind] += 1
  }
  sqliteChannel.subscribe(count)
  try {
    await run()
    return counts
  } finally {
    sqliteChannel.unsubscribe(count)
  }
}
