/** Why a PostgreSQL server could not be used, in one sentence that repeats neither user nor password. */
import { ConfigError } from '#lib/errors/config-error.ts'
import { driverKind } from './row-errors.ts'

/** The sentence for what the operator can put right, from the error of a first connection; any other error as it came. */
export function connectionProblem(error: unknown, url: string): unknown {
  const { hostname, port, pathname, password } = new URL(url)
  const address = `${hostname || 'localhost'}:${port || '5432'}`
  const kind = password === '' && wantsPassword(error) ? 'PasswordMissing' : driverKind(error)
  const sentence = sentences[kind ?? '']?.(address, decodeURIComponent(pathname.slice(1)))
  return sentence === undefined ? error : new ConfigError(`DATABASE_URL: ${sentence}`)
}

/** NOTE: the driver has no name for it. */
function wantsPassword(error: unknown): boolean {
  return error instanceof Error && error.message.includes('password must be a string')
}

type Sentence = (address: string, database: string) => string

const unreachable: Sentence = address =>
  `no PostgreSQL answers at ${address}; start it, or correct the address.`
const refused: Sentence = address =>
  `the PostgreSQL at ${address} refuses this user or password; correct them.`

/** By the names that Prisma's driver adapters give. */
const sentences: Readonly<Record<string, Sentence>> = {
  DatabaseNotReachable: unreachable,
  SocketTimeout: unreachable,
  ConnectionClosed: unreachable,
  AuthenticationFailed: refused,
  PasswordMissing: address => `the PostgreSQL at ${address} asks for a password; put one into the address.`,
  DatabaseAccessDenied: (address, database) =>
    `the PostgreSQL at ${address} does not let this user into the database "${database}"; grant it CONNECT.`,
  DatabaseDoesNotExist: (address, database) =>
    `the PostgreSQL at ${address} has no database "${database}"; create it, or correct the name.`,
  TlsConnectionError: address =>
    `no safe connection to the PostgreSQL at ${address} comes about; it may offer none, or a certificate that is not trusted here. Look there, or at sslmode in the address.`,
  TooManyConnections: address =>
    `the PostgreSQL at ${address} has no connection left; raise its max_connections.`,
}
