/** Whether a write failed because its key is taken. NOTE: `meta` differs between the databases, the code does not. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002'
}

/** Whether an update or delete found no row. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2025'
}

/** Whether a transaction had to give way to another one: PostgreSQL's deadlocks and serialization failures. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2034'
}
