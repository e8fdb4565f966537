/** What went wrong in a statement, by Prisma's codes. NOTE: `meta` differs between the databases, the codes do not. */
import { z } from 'zod'

/** Prisma's codes for the kinds that its drivers distinguish. */
const codesOfKinds: Readonly<Record<string, string>> = {
  DatabaseNotReachable: 'P1001',
  SocketTimeout: 'P1008',
  ConnectionClosed: 'P1017',
  UniqueConstraintViolation: 'P2002',
  TransactionWriteConflict: 'P2034',
  TooManyConnections: 'P2037',
}

const driverFailure = z.object({ cause: z.object({ kind: z.string() }) })
const rawFailure = z.object({ meta: z.object({ driverAdapterError: z.unknown() }) })

/** `null` for an error without a code. NOTE: a raw statement always has P2010, and the driver's kind is more specific. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (!('code' in error && typeof error.code === 'string'))
    return codesOfKinds[driverKind(error) ?? ''] ?? null
  const raw = error.code === 'P2010' ? rawFailure.safeParse(error).data?.meta.driverAdapterError : undefined
  return codesOfKinds[driverKind(raw) ?? ''] ?? error.code
}

/** The kind of a driver's error; `null` if it is unknown. */
export function driverKind(error: unknown): string | null {
  return driverFailure.safeParse(error).data?.cause.kind ?? kindInWords(error)
}

/** What PostgreSQL's driver has only words for: no connection in time, one that broke, or no password to send. */
function kindInWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (/password must be a string/.test(error.message)) return 'AuthenticationFailed'
  if (/timeout/i.test(error.message)) return 'SocketTimeout'
  return /terminated|not queryable/i.test(error.message) ? 'ConnectionClosed' : null
}

/** Whether a write failed because its key is taken. */
export function isDuplicate(error: unknown): boolean {
  return errorCode(error) === 'P2002'
}

/** Whether an update or delete found no row. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'P2025'
}

/** Whether a transaction lost against a concurrent one: PostgreSQL's deadlocks and serialization failures. */
export function isWriteConflict(error: unknown): boolean {
  return errorCode(error) === 'P2034'
}
