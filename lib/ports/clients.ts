import type { JsonValue } from '#lib/protocol/claims.ts'
import {
  type ClientId,
  clientIdSchema,
  type Digest,
  type ScopeName,
  type SubjectId,
} from '#lib/protocol/ids.ts'
import type { Client, SignatureSettings } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { CheckCaller } from './check-caller.ts'

/**
 * A stored secret. `digest` names the algorithm and contains the hash. `expiresAt: null`: the secret never expires.
 * Several can be valid at the same time, so that a rotation has no interruption.
 */
export type StoredSecret = {
  readonly id: string
  /** The name; a secret of the configuration file has none. */
  readonly name?: string | null
  readonly digest: string
  readonly expiresAt: Date | null
}

/**
 * The algorithms of stored secrets: Argon2id for chosen ones, SHA-256 for generated ones, SHA-256 or SHA-512 for
 * imported ones, of which only the hash is known.
 */
export const secretForms = ['argon2id', 'sha256', 'sha512'] as const
export type SecretForm = (typeof secretForms)[number]

export function secretFormOf({ digest }: Pick<StoredSecret, 'digest'>): SecretForm {
  if (digest.startsWith('sha256:')) return 'sha256'
  return digest.startsWith('sha512:') ? 'sha512' : 'argon2id'
}

export type RegisteredClient = { readonly client: Client; readonly secrets: readonly StoredSecret[] }

export type Clients = {
  /**
   * Returns a client, even a disabled one: the caller decides. `null`: unknown. A change is effective at the next call,
   * on every node.
   */
  readonly find: (clientId: ClientId) => Promise<RegisteredClient | null>
  /** Whether any enabled client registered this browser origin for CORS. */
  readonly allowsOrigin: (origin: string) => Promise<boolean>
  /** Returns the distinct signature settings of enabled clients with a grant type. */
  readonly signatureSettings: () => Promise<readonly SignatureSettings[]>
}

type WithClients = { readonly clients: Pick<Clients, 'find'> }

/**
 * Finds the client of a request by its ID, with its secrets, even when it is disabled. `null`: unknown, or a value that
 * cannot be a client ID.
 */
export function findRegistration({ clients }: WithClients, id: JsonValue): Promise<RegisteredClient | null> {
  const clientId = clientIdSchema.safeParse(id)
  return clientId.success ? clients.find(clientId.data) : Promise.resolve(null)
}

/** Checks a presented client or scope secret against the stored ones. */
export type Secrets = {
  /**
   * Compares in constant time; expired secrets never match. A wrong secret takes a password hash even if the list is
   * empty.
   */
  readonly verify: (
    presented: string,
    stored: readonly StoredSecret[],
    now: Date,
    caller?: CheckCaller,
  ) => Promise<boolean>
  /**
   * Returns the match if it can be found without a password hash: the secret was generated or imported, or this process
   * has verified it recently. `null`: `verify` must compare the others.
   */
  readonly findWithoutHash: (
    presented: string,
    stored: readonly StoredSecret[],
    now: Date,
  ) => StoredSecret | null
  /**
   * Runs `work` once for concurrent callers with the same `tried`. `work` returns the index of the matching candidate,
   * or `null`. `tried` may contain secrets in plain text; it is not stored.
   */
  readonly sharing: (tried: string, work: () => Promise<number | null>) => Promise<number | null>
}

export type RegisteredScope = { readonly scope: Scope; readonly secrets: readonly StoredSecret[] }

export type Scopes = {
  /**
   * Returns every scope, enabled or not, in registration order. A change is effective at the next call, on every node.
   */
  readonly all: () => Promise<readonly RegisteredScope[]>
  readonly find: (name: ScopeName) => Promise<RegisteredScope | null>
}

/** Records last uses, accurate to the minute. Marking never waits and never throws. */
export type UsageMarks = {
  readonly client: (clientId: ClientId, now: Date) => void
  /** Marks the use of a secret. `owner`: the client ID or the scope name; `id`: the ID of the stored secret. */
  readonly secret: (secret: { readonly owner: string; readonly id: string }, now: Date) => void
  /** Marks the sign-in of a user. */
  readonly user: (subject: SubjectId, now: Date) => void
  /** Extends the idle time of a session. */
  readonly session: (digest: Digest, now: Date) => void
  /** Resolves when everything marked until now is written, or could not be written. */
  readonly flush: () => Promise<void>
}
