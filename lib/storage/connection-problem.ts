/** Why a PostgreSQL server cannot be used, in one sentence that contains neither user nor password. */
import { z } from 'zod'
import { ConfigError } from '#lib/errors/config-error.ts'
import { driverKind } from './row-errors.ts'

/** The sentence for what the operator can put right, from the error of a first connection; any other error as it came. */
export function connectionProblem(error: unknown, url: string): unknown {
  const { hostname, port, pathname, password } = new URL(url)
  const address = `${hostname || 'localhost'}:${port || '5432'}`
  const kind = driverKind(error)
  const named = kind === 'AuthenticationFailed' && password === '' ? 'PasswordMissing' : kind
  const problem = isUnknownRole(error) ? 'RoleDoesNotExist' : named
  const sentence = sentences[problem ?? '']?.(address, decodeURIComponent(pathname.slice(1)))
  return sentence === undefined ? error : new ConfigError(`DATABASE_URL: ${sentence}`)
}

const unknownRole = z.object({
  cause: z.object({
    originalCode: z.literal('28000'),
    originalMessage: z.string().regex(/^role ".*" does not exist/),
  }),
})

/** PostgreSQL reports it like a refused access to the database. */
function isUnknownRole(error: unknown): boolean {
  return unknownRole.safeParse(error).success
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
  PasswordMissing: address => `the PostgreSQL at ${address} requires a password; put it into the address.`,
  RoleDoesNotExist: address =>
    `the PostgreSQL at ${address} has no user of this name; create it, or correct the name in the address.`,
  DatabaseAccessDenied: (address, database) =>
    `the PostgreSQL at ${address} does not let this user into the database "${database}"; grant it CONNECT.`,
  DatabaseDoesNotExist: (address, database) =>
    `the PostgreSQL at ${address} has no database "${database}"; create it, or correct the name.`,
  TlsConnectionError: address =>
    `the TLS connection to the PostgreSQL at ${address} failed; it may not offer TLS, or its certificate is not trusted here. Check its settings, or sslmode in the address.`,
  TooManyConnections: address =>
    `the PostgreSQL at ${address} has too many connections; raise its max_connections.`,
}
