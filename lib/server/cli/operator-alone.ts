/** What the command line does with a database that no server keeps for itself: it opens it, as a server would. */
import type { Config } from '#lib/config/env.ts'
import { createLog } from '#lib/events/log.ts'
import { migrate } from '#prisma/migrate.ts'
import { resources } from '../resources.ts'
import { operatorPorts } from './operator-ports.ts'
import { carryOut, type OperatorAnswer, type OperatorRequest } from './operator-request.ts'

/** Brings the schema first. The end of the audit trail goes to standard error. */
export async function carryOutAlone(
  { database, logLevel: level }: Config,
  request: OperatorRequest,
): Promise<OperatorAnswer> {
  await migrate(database)
  const opened = await resources()
  // Standard output has the link and nothing else
  const { stderr } = process
  const log = createLog({ level, pretty: stderr.isTTY === true, destination: stderr })
  try {
    return await carryOut(operatorPorts({ ...opened, log }), request)
  } finally {
    await opened.storage.close()
  }
}
