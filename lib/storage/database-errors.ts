/** Classifies database errors by Prisma's codes, which are the same for both databases. */
import { z } from 'zod'
import { storage } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'

/** Prisma's codes for kinds of driver errors. */
const codesOfKinds: Readonly<Record<string, string>> = {
  DatabaseNotReachable: 'P1001',
  SocketTimeout: 'P1008',
  ConnectionClosed: 'P1017',
  UniqueConstraintViolation: 'P2002',
  TransactionWriteConflict: 'P2034',
  TooManyConnections: 'P2037',
}

/** The SQLSTATE of a write on a connection that can only read. */
const readOnlyState = '25006'

/** Prisma's codes for SQLSTATEs and for connection errors of PostgreSQL's driver. */
const codesOfStates: Readonly<Record<string, string>> = {
  '08000': 'P1017',
  '08001': 'P1001',
  '08003': 'P1017',
  '08004': 'P1001',
  '08006': 'P1017',
  // PostgreSQL's poolers report their own problems with this state
  '08P01': 'P1001',
  '23505': 'P2002',
  '40001': 'P2034',
  '40P01': 'P2034',
  '53300': 'P2037',
  '57014': 'P1008',
  '57P01': 'P1017',
  '57P02': 'P1017',
  '57P03': 'P1001',
  ECONNREFUSED: 'P1001',
  ENOTFOUND: 'P1001',
  EHOSTUNREACH: 'P1001',
  ECONNRESET: 'P1017',
  EPIPE: 'P1017',
  ETIMEDOUT: 'P1008',
}

/** SQLite's codes and the SQLSTATEs for a disk that is full or fails, and for a read-only database or file. */
const notWritable = /^(SQLITE_(FULL|READONLY|IOERR)(_|$)|53100$|25006$|58030$)/

/** Our code for errors that match `notWritable`, since Prisma has none. */
const notWritableCode = 'not writable'

const driverFailure = z.object({ cause: z.object({ kind: z.string(), originalCode: z.string().optional() }) })
const rawFailure = z.object({ meta: z.object({ driverAdapterError: z.unknown() }) })

/** Prisma's codes for different errors, which only the driver's error distinguishes. */
const undistinguished: ReadonlySet<string> = new Set(['P2010', 'P2039'])

/**
 * Returns the code of an error; `null` if it has none. NOTE: where Prisma's code is too general, the driver's kind or
 * SQLSTATE is used.
 */
function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (!('code' in error && typeof error.code === 'string')) return codeOfDriver(error) ?? null
  const cause = undistinguished.has(error.code)
    ? rawFailure.safeParse(error).data?.meta.driverAdapterError
    : undefined
  return codeOfDriver(cause) ?? codeOfState(error.code) ?? error.code
}

function codeOfState(state: string): string | undefined {
  return notWritable.test(state) ? notWritableCode : codesOfStates[state]
}

function codeOfDriver(error: unknown): string | undefined {
  const state = driverFailure.safeParse(error).data?.cause.originalCode ?? ''
  return codesOfKinds[driverKind(error) ?? ''] ?? codeOfState(state)
}

/** Returns the kind of a driver's error; `null` if it is unknown. */
export function driverKind(error: unknown): string | null {
  return driverFailure.safeParse(error).data?.cause.kind ?? kindInWords(error)
}

/**
 * Recognizes errors of PostgreSQL's driver that have a message but no code: connection timeout, broken connection,
 * missing password.
 */
function kindInWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (/password must be a string/.test(error.message)) return 'AuthenticationFailed'
  if (/timeout/i.test(error.message)) return 'SocketTimeout'
  return /terminated|not queryable/i.test(error.message) ? 'ConnectionClosed' : null
}

/** Whether the SQLSTATE is that of a write on a connection that can only read: nothing was written. */
export function isReadOnlyState(state: string | undefined): boolean {
  return state === readOnlyState
}

/** Whether a statement failed because the connection can only read: nothing was written. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === readOnlyState
}

/** Whether a statement failed because its connection ended. A change may have been written nevertheless. */
export function isConnectionLost(error: unknown): boolean {
  return errorCode(error) === 'P1017' || driverKind(error) === 'ConnectionClosed'
}

/** Whether a pooler refused settings in the first message of a connection, as PgBouncer does. */
export function isRefusedSetting(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter|command-line options/i.test(error.message)
}

/** Whether a write failed because its key already exists. */
export function isDuplicate(error: unknown): boolean {
  return errorCode(error) === 'P2002'
}

/** Whether an update or delete found no row. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'P2025'
}

/** Whether a transaction failed because of a concurrent one: PostgreSQL's deadlocks and serialization failures. */
export function isWriteConflict(error: unknown): boolean {
  return errorCode(error) === 'P2034'
}

/** The reasons of 503 responses, by error code. */
const unavailable: Readonly<Record<string, ReasonFor<'temporarily_unavailable'>>> = {
  P1001: 'database_unreachable',
  P1002: 'database_unreachable',
  P1017: 'database_unreachable',
  P1008: 'database_timeout',
  P2028: 'database_timeout',
  P2024: 'database_connections_exhausted',
  P2037: 'database_connections_exhausted',
  P2034: 'database_write_conflict',
  [notWritableCode]: 'database_not_writable',
}

/**
 * Returns a copy whose functions throw `OauthError` `temporarily_unavailable` while the database is unavailable, and
 * rethrow all other errors unchanged. NOTE: functions are wrapped once; a proxy would wrap them at every call.
 */
export function refusingWhenUnavailable<T extends object>(port: T): T {
  const wrapping = new Proxy(port, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      return typeof member === 'function'
        ? (...given: readonly unknown[]) => refusing(() => member(...given))
        : member
    },
  })
  return { ...wrapping }
}

function refusing(call: () => unknown): Promise<unknown> {
  try {
    return Promise.resolve(call()).catch(refuse)
  } catch (error) {
    return Promise.reject(error).catch(refuse)
  }
}

function refuse(error: unknown): never {
  const reason = unavailable[errorCode(error) ?? '']
  if (reason === undefined) throw error
  throw new OauthError(reason, { retryAfterSeconds: storage.retryAfterSeconds })
}

/**
 * Returns a `ConfigError` for the operator if the cause of a first connection's error is known; otherwise returns the
 * error unchanged.
 */
export function connectionProblem(error: unknown, url: string): unknown {
  const { hostname, port, pathname, password } = new URL(url)
  const address = `${hostname || 'localhost'}:${port || '5432'}`
  const kind = driverKind(error)
  const named = kind === 'AuthenticationFailed' && password === '' ? 'PasswordMissing' : kind
  const problem = refusalIn(error) ?? named
  const sentence = sentences[problem ?? '']?.(address, decodeURIComponent(pathname.slice(1)))
  return sentence === undefined ? error : new ConfigError(`DATABASE_URL: ${sentence}`)
}

const refusedConnection = z.object({
  cause: z.object({ originalCode: z.enum(['28000', '42501']), originalMessage: z.string() }),
})

/** The kinds of refused connections that PostgreSQL distinguishes only in its message. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^role ".*" does not exist/, 'RoleDoesNotExist'],
  [/^permission denied for database/, 'ConnectMissing'],
  [/, no encryption$/, 'TlsMissing'],
]

function refusalIn(error: unknown): string | undefined {
  const message = refusedConnection.safeParse(error).data?.cause.originalMessage ?? ''
  return refusals.find(([pattern]) => pattern.test(message))?.[1]
}

type Sentence = (address: string, database: string) => string

const unreachable: Sentence = address =>
  `no PostgreSQL answers at ${address}; start it, or correct the address.`
const refused: Sentence = address =>
  `the PostgreSQL at ${address} refuses this user or password; correct them.`

/** The message for a URL without a database name: PostgreSQL then uses the name of the user. */
const unnamedDatabase = (address: string) =>
  `the address names no database, and the PostgreSQL at ${address} has none with the name of the user; add the name of the database to the address, such as /latchkey.`

const keptOut: Sentence = (address, database) =>
  `the PostgreSQL at ${address} does not let this user into ${database === '' ? 'the database with its name' : `the database "${database}"`}`

/** The messages for the operator, by the kind of the problem. */
const sentences: Readonly<Record<string, Sentence>> = {
  DatabaseNotReachable: unreachable,
  SocketTimeout: unreachable,
  ConnectionClosed: unreachable,
  AuthenticationFailed: refused,
  PasswordMissing: address => `the PostgreSQL at ${address} requires a password; put it into the address.`,
  RoleDoesNotExist: address =>
    `the PostgreSQL at ${address} has no user of this name; create it, or correct the name in the address.`,
  DatabaseAccessDenied: (address, database) =>
    `${keptOut(address, database)}; allow it to log in, by a rule in pg_hba.conf and LOGIN of the role.`,
  TlsMissing: (address, database) =>
    `${keptOut(address, database)} without TLS; add ?sslmode=verify-full to the address, or a rule to pg_hba.conf.`,
  ConnectMissing: (address, database) =>
    `${keptOut(address, database)}; make it the owner, or grant it CONNECT.`,
  DatabaseDoesNotExist: (address, database) =>
    database === ''
      ? unnamedDatabase(address)
      : `the PostgreSQL at ${address} has no database "${database}"; create it, or correct the name.`,
  TlsConnectionError: address =>
    `the TLS connection to the PostgreSQL at ${address} failed; it may not offer TLS, or its certificate is not trusted here. Check its settings, or sslmode in the address.`,
  TooManyConnections: address =>
    `the PostgreSQL at ${address} has too many connections; raise its max_connections.`,
}
