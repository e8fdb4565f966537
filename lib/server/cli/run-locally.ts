/** Runs a command of `npm run admin` or `npm run import` without a server: opens the database as a server would. */
import type { Config } from '#lib/config/env.ts'
import { createLog } from '#lib/events/log.ts'
import { migrate } from '#prisma/migrate.ts'
import { commandPorts } from '../wiring/operator-ports.ts'
import { resources } from '../wiring/resources.ts'
import { logRestricted } from '../wiring/restrict-data-files.ts'
import { type Command, type CommandResult, runCommand } from './command.ts'

/** Runs a command. Migrates the schema first, and logs to standard error. */
export async function runCommandLocally(
  { database, logLevel: level }: Config,
  command: Command,
): Promise<CommandResult> {
  await migrate(database)
  const opened = await resources()
  // Standard output contains only the result of the command
  const { stderr } = process
  const log = createLog({ level, pretty: stderr.isTTY === true, destination: stderr })
  logRestricted({ ...opened, log })
  try {
    return await runCommand(commandPorts({ ...opened, log }), command)
  } finally {
    await opened.storage.close()
  }
}
