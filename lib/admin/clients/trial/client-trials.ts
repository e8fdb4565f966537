/** What a test of a client asks of the token endpoint and its neighbours. `lib/server/client-trials.ts` does it. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

/** `test`: the name of the test, which all its events bear. */
export type Trial = { readonly client: Client; readonly test: string }

/** `because` is what the client would be told. */
export type TrialRefusal = { readonly kind: 'refused'; readonly because: string }
type TrialTokens =
  | { readonly kind: 'issued'; readonly response: Readonly<Record<string, JsonValue>> }
  | TrialRefusal

/** None of these marks a client or a secret as used. */
export type ClientTrials = {
  /** Whether this secret proves the client, in the way it is registered for. The secret is not kept. */
  readonly prove: (
    trial: Trial & { readonly secret: string },
    context: RequestContext,
  ) => Promise<{ readonly kind: 'proven' } | TrialRefusal>
  /** Redeems the code of a test. We vouch for the client in place of its secret: nobody else holds the verifier. */
  readonly redeem: (
    trial: Trial & { readonly code: string; readonly verifier: string },
    context: RequestContext,
  ) => Promise<TrialTokens>
  /** `client_credentials`. */
  readonly forItself: (
    trial: Trial & { readonly secret: string; readonly scopes: readonly string[] },
    context: RequestContext,
  ) => Promise<TrialTokens>
  /** What the access token opens at userinfo; `null` when it is refused. */
  readonly userinfo: (
    trial: Trial & { readonly accessToken: string },
    context: RequestContext,
  ) => Promise<Claims | null>
  /** Ends a token, and with a refresh token its grant. */
  readonly revoke: (trial: Trial & { readonly token: string }, context: RequestContext) => Promise<void>
}
