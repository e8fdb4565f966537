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
 * `digest` names the scheme and the salted or plain hash. `expiresAt: null` never expires.
 * Several can be valid at the same time, so that a rotation has no interruption.
 */
export type StoredSecret = {
  readonly id: string
  /** What an admin calls it; a secret of the configuration file has none. */
  readonly name?: string | null
  readonly digest: string
  readonly expiresAt: Date | null
}

/** How a secret is stored: SHA-256 if it was generated here; SHA-256 or SHA-512 if only its hash is known. */
export const secretForms = ['argon2id', 'sha256', 'sha512'] as const
export type SecretForm = (typeof secretForms)[number]

export function secretFormOf({ digest }: Pick<StoredSecret, 'digest'>): SecretForm {
  if (digest.startsWith('sha256:')) return 'sha256'
  return digest.startsWith('sha512:') ? 'sha512' : 'argon2id'
}

export type RegisteredClient = { readonly client: Client; readonly secrets: readonly StoredSecret[] }

export type Clients = {
  /** Also finds disabled clients: the caller decides. `null`: unknown. A change is seen by the next call, on every node. */
  readonly find: (clientId: ClientId) => Promise<RegisteredClient | null>
  /** Whether any enabled client registered this browser origin for CORS. */
  readonly allowsOrigin: (origin: string) => Promise<boolean>
  /** How the tokens of enabled clients with a grant type are signed; equal settings of several clients are one. */
  readonly signatureSettings: () => Promise<readonly SignatureSettings[]>
}

type WithClients = { readonly clients: Pick<Clients, 'find'> }

/** By the client ID of a request, with its secrets; also when disabled. `null` for a value that cannot be a client ID. */
export function findRegistration({ clients }: WithClients, id: JsonValue): Promise<RegisteredClient | null> {
  const clientId = clientIdSchema.safeParse(id)
  return clientId.success ? clients.find(clientId.data) : Promise.resolve(null)
}

/** Checks a presented client or scope secret against the stored ones. */
export type Secrets = {
  /** Compares in constant time; expired secrets never match. Costs the same whether the list is empty or not. */
  readonly verify: (
    presented: string,
    stored: readonly StoredSecret[],
    now: Date,
    caller?: CheckCaller,
  ) => Promise<boolean>
  /**
   * Which of them matches, if no password hash is needed to know it: it was generated, imported, or verified by this process
   * before. `null`: none of these; `verify` compares the others.
   */
  readonly findWithoutHash: (
    presented: string,
    stored: readonly StoredSecret[],
    now: Date,
  ) => StoredSecret | null
  /**
   * Concurrent callers with the same input share one run of `work` and its result: which of the candidates is right, if
   * any. `tried` may contain secrets in plain text; it is not stored.
   */
  readonly sharing: (tried: string, work: () => Promise<number | null>) => Promise<number | null>
}

export type RegisteredScope = { readonly scope: Scope; readonly secrets: readonly StoredSecret[] }

export type Scopes = {
  /** Every scope, enabled or not, in registration order. A change is seen by the next call, on every node. */
  readonly all: () => Promise<readonly RegisteredScope[]>
  readonly find: (name: ScopeName) => Promise<RegisteredScope | null>
}

/** To the minute. Marking never waits and never fails: nothing depends on it. */
export type UsageMarks = {
  readonly client: (clientId: ClientId, now: Date) => void
  /** `owner`: the name of a client or of a scope; `id`: that of the stored secret. */
  readonly secret: (secret: { readonly owner: string; readonly id: string }, now: Date) => void
  /** A sign-in. */
  readonly user: (subject: SubjectId, now: Date) => void
  /** Extends the idle time of a session. */
  readonly session: (digest: Digest, now: Date) => void
  /** Resolves when everything marked until now is written, or could not be. */
  readonly flush: () => Promise<void>
}
