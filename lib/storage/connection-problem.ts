/** Why a PostgreSQL server could not be used, in one sentence that repeats neither user nor password. */
import { ConfigError } from '#lib/errors/config-error.ts'
import { driverKind } from './row-errors.ts'

/** The sentence for what the operator can put right, from the error of a first connection; any other error as it came. */
export function connectionProblem(error: unknown, url: string): unknown {
  const { hostname, port, pathname, password } = new URL(url)
  const address = `${hostname || 'localhost'}:${port || '5432'}`
  const kind = driverKind(error)
  const told = kind === 'AuthenticationFailed' && password === '' ? 'PasswordMissing' : kind
  const sentence = sentences[told ?? '']?.(address, decodeURIComponent(pathname.slice(1)))
  return sentence === undefined ? error : new ConfigError(`DATABASE_URL: ${sentence}`)
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
  PasswordMissing: address =>
    `the PostgreSQL at ${address} lets this user in with a password only; put it into the address.`,
  DatabaseAccessDenied: (address, database) =>
    `the PostgreSQL at ${address} does not let this user into the database "${database}"; grant it CONNECT.`,
  DatabaseDoesNotExist: (address, database) =>
    `the PostgreSQL at ${address} has no database "${database}"; create it, or correct the name.`,
  TlsConnectionError: address =>
    `no safe connection to the PostgreSQL at ${address} comes about; it may offer none, or a certificate that is not trusted here. Look there, or at sslmode in the address.`,
  TooManyConnections: address =>
    `the PostgreSQL at ${address} has no connection left; raise its max_connections.`,
}
