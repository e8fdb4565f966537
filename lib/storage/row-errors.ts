/** What went wrong in a statement, by Prisma's codes. NOTE: `meta` differs between the databases, the codes do not. */
import { z } from 'zod'

/** Prisma's codes for the kinds that its drivers tell apart. */
const codesOfKinds: Readonly<Record<string, string>> = {
  DatabaseNotReachable: 'P1001',
  SocketTimeout: 'P1008',
  ConnectionClosed: 'P1017',
  UniqueConstraintViolation: 'P2002',
  TransactionWriteConflict: 'P2034',
  TooManyConnections: 'P2037',
}

/** `null` for what is no error of Prisma's. NOTE: of a raw statement everything is P2010, and the driver's kind tells more. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return null
  return error.code === 'P2010' ? (codesOfKinds[driverKind(error)] ?? error.code) : error.code
}

/** Whether a write failed because its key is taken. */
export function isDuplicate(error: unknown): boolean {
  return errorCode(error) === 'P2002'
}

/** Whether an update or delete found no row. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'P2025'
}

/** Whether a transaction had to give way to another one: PostgreSQL's deadlocks and serialization failures. */
export function isWriteConflict(error: unknown): boolean {
  return errorCode(error) === 'P2034'
}

const rawFailure = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ kind: z.string() }) }) }),
})

function driverKind(error: Error): string {
  return rawFailure.safeParse(error).data?.meta.driverAdapterError.cause.kind ?? ''
}
