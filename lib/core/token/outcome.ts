/** What a request at the token endpoint, or at its neighbours that authenticate clients, can lead to. */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'

export type TokenResponse = Readonly<Record<string, JsonValue>>

export type TokenOutcome =
  | { readonly kind: 'issued'; readonly response: TokenResponse }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export type Refusal = {
  readonly code: ErrorCode
  /** For the developer of the client; holds nothing that was sent. */
  readonly description: string
  readonly retryAfterSeconds: number | null
}

/** Turns what the core threw into what the client is told (RFC 6749 5.2). */
export function refusalOf(error: OauthError): Refusal {
  return {
    code: error.code,
    description: error.description ?? catalog[error.code].description,
    retryAfterSeconds: error.retryAfterSeconds,
  }
}
