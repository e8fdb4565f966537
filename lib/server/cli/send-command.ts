/** Runs a command of the command line, with or without a running server. */
import type { Config } from '#lib/config/env.ts'
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
