/** Prisma: unreachable, timed out, closed, pool exhausted, too many connections. */
const codes: ReadonlySet<string> = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2037',
  'SQLITE_BUSY',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])
const kinds: ReadonlySet<string> = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
])

/** Whether an error says that the database is away. By code, never by class: each host has its own copy of those. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  if ('code' in error && typeof error.code === 'string' && codes.has(error.code)) return true
  if ('kind' in error && typeof error.kind === 'string' && kinds.has(error.kind)) return true
  return 'cause' in error && isUnavailable(error.cause, depth + 1)
}
