/** Counts the statements that a server sends to SQLite. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

/** The number of statements. `write` counts messages to the writer thread, each of which can have several statements. */
export type StatementCounts = z.infer<typeof countsSchema>

const countsSchema = z.object({ read: z.number(), write: z.number() })
const pollMs = 5

/** The environment variables that make a server count. */
export function countingEnvironment(dataDirectory: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'count-statements.mjs')}`,
    STATEMENT_COUNTS: countsFile(dataDirectory),
  }
}

/** The number of statements of the server with this data directory since its start. */
export async function readStatementCounts(pid: number, dataDirectory: string): Promise<StatementCounts> {
  const file = countsFile(dataDirectory)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await delay(pollMs)
  return countsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

function countsFile(dataDirectory: string): string {
  return join(dataDirectory, 'statement-counts.json')
}
