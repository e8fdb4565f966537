/** Runs a command of the command line, with or without a running server. */
import type { Config } from '#lib/config/env.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { requireDatabase } from '#lib/storage/open-audit-trail.ts'
import { isLeased } from '#lib/storage/sqlite/sqlite-lease.ts'
import type { Command, CommandResult } from './command.ts'
import { commandSocketOf, sendCommand } from './command-socket.ts'

/**
 * Runs a command. Only one process may write to SQLite, so a running server runs the command, and this process does not
 * load the code for it.
 */
export async function carryOut(config: Config, command: Command): Promise<CommandResult> {
  const { database } = config
  requireDatabase(database)
  if (database.kind === 'sqlite' && isLeased(database.file)) {
    const result = await sendCommand(commandSocketOf(database.file), command)
    return result ?? { problem: unanswered }
  }
  const { runCommandLocally } = await import('./run-locally.ts')
  return runCommandLocally(config, command)
}

const unanswered =
  'A server has the database open but did not answer. Run this command as the account that the server runs as, or stop the server first.'

export function say(text: string): number {
  process.stdout.write(text)
  return 0
}

export function refuse(text: string, code: number): number {
  process.stderr.write(text)
  return code
}

/** Prints an error and returns the exit code: 2 for a wrong setting, 1 for everything else. */
export function reportFailure(error: unknown): number {
  if (isConfigError(error)) return refuse(`${error.message}\n`, 2)
  return refuse(`Failed: ${error instanceof Error ? error.message : 'unknown reason'}\n`, 1)
}
