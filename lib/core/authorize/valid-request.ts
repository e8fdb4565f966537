/** An authorization request that passed every check, and what the checks look at. */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { AcrValues } from '#lib/protocol/acr-values.ts'
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ClientId, ScopeName } from '#lib/protocol/ids.ts'
import type { Scope } from '#lib/protocol/scope.ts'
import type { CodeChallengeMethod, Prompt, ResponseMode, ResponseType } from '#lib/protocol/vocabulary.ts'

/** Frozen; built in one expression at the end of `validate.ts`. */
export type ValidAuthorizeRequest = {
  readonly clientId: ClientId
  readonly redirectUri: string
  readonly responseType: ResponseType
  readonly responseMode: ResponseMode
  readonly state: string | null
  /** Known, enabled and allowed for the client, in the order asked for. */
  readonly scopes: readonly ScopeName[]
  readonly nonce: string | null
  readonly proofKey: ProofKey | null
  /** Empty when the app said nothing. */
  readonly prompts: readonly Prompt[]
  readonly maxAgeSeconds: number | null
  readonly loginHint: string | null
  /** As it came: its signature is checked where it is used. */
  readonly idTokenHint: string | null
  readonly uiLocales: readonly string[]
  readonly acrValues: AcrValues
}

export type ProofKey = { readonly challenge: string; readonly method: CodeChallengeMethod }

/** What a check may look at. `scopes` are all registered ones. */
export type ValidationInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  readonly scopes: readonly Scope[]
  /** Why a parameter is missing from `raw`, if one is. */
  readonly fault?: OauthError | null
}
