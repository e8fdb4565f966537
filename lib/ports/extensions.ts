/** What an operator may replace or add, loaded from the file that `LATCHKEY_EXTENSIONS` names. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import type { ScopeName, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import type { EventSink } from './events.ts'
import type { UserService, Users } from './users.ts'

/** The result of a custom grant. Without a subject the token represents only the client. */
export type CustomGrantOutcome =
  | {
      readonly kind: 'granted'
      /** Without a subject the token represents only the client. */
      readonly subject?: SubjectId | null
      readonly amr?: readonly string[]
      readonly claims?: Claims
    }
  | { readonly kind: 'refused'; readonly description: string | null }

/** One custom `grant_type`. Clients may use it only when their `grant_types` names it. */
export type CustomGrant = {
  readonly grantType: string
  readonly validate: (request: {
    /** All parameters of the token request, of client authentication included. */
    readonly parameters: Parameters
    readonly client: Client
    readonly scopes: readonly ScopeName[]
  }) => Promise<CustomGrantOutcome>
}

/** Adds claims to tokens. Reserved names are dropped. */
export type TokenClaims = {
  readonly claimsFor: (request: {
    readonly token: 'access_token' | 'id_token'
    readonly client: Client
    readonly subject: SubjectId | null
    readonly scopes: readonly ScopeName[]
  }) => Promise<Readonly<Record<string, JsonValue>>>
}

/** The default export of an extensions file. */
export type Extensions = {
  readonly userService?: (users: Users, standard: UserService) => UserService
  readonly customGrants?: readonly CustomGrant[]
  readonly tokenClaims?: readonly TokenClaims[]
  readonly eventSinks?: readonly EventSink[]
}
