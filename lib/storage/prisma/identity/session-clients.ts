/** The clients that received a grant in a session. */
import { storage } from '#lib/config/limits.ts'
import type { Grant } from '#lib/ports/grants.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { type Bound, statement } from '../../sql/statement.ts'

/**
 * Adds the client of a new grant to its session, in the change that stores the grant. The time is updated at most once
 * a minute, so that most grants write nothing here.
 */
export function recordClient(sessionId: string, { clientId, createdAt }: Grant): Bound {
  const due = secondsAfter(createdAt, -storage.sessionTouchSeconds)
  return [recordSessionClient, [sessionId, clientId, createdAt, due]]
}

/** $1 session ID, $2 client ID, $3 now, $4 a stored time that is later than this is kept */
const recordSessionClient = statement(
  `INSERT INTO "SessionClient" ("sessionId", "clientId", "lastAt") VALUES ($1, $2, $3)
   ON CONFLICT ("sessionId", "clientId") DO UPDATE SET "lastAt" = excluded."lastAt"
   WHERE "SessionClient"."lastAt" <= $4`,
  2,
)
