/** What a client test asks of the token endpoint and userinfo. `lib/server/wiring/own-client-calls.ts` does it. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { HiddenClient } from './hidden-client.ts'

/** The tested client with one of its secrets. `test`: the name of the test, which all its events contain. */
export type TestedClient = { readonly client: Client; readonly test: string; readonly secret: string }

/** `description` is what the client receives. */
export type ClientTestRefusal = { readonly kind: 'refused'; readonly description: string }
type ClientTestTokens =
  | { readonly kind: 'issued'; readonly response: Readonly<Record<string, JsonValue>> }
  | ClientTestRefusal

/** None of these marks the tested client or one of its secrets as used. */
export type ClientTestCalls = {
  /** Whether the tested client authenticates with this secret. The secret is not kept. */
  readonly authenticate: (
    tested: TestedClient,
    context: RequestContext,
  ) => Promise<{ readonly kind: 'authenticated' } | ClientTestRefusal>
  /** `client_credentials`. */
  readonly requestOwnToken: (
    tested: TestedClient & { readonly scopes: readonly string[] },
    context: RequestContext,
  ) => Promise<ClientTestTokens>
  readonly revokeOwnToken: (
    tested: TestedClient & { readonly token: string },
    context: RequestContext,
  ) => Promise<void>
  /** Redeems the code of the hidden client with its own secret and code verifier. */
  readonly redeem: (
    redemption: {
      readonly hidden: HiddenClient
      readonly secret: string | null
      readonly code: string
      readonly verifier: string
    },
    context: RequestContext,
  ) => Promise<ClientTestTokens>
  /** The claims that userinfo returns for an access token of the hidden client; `null` when it is refused. */
  readonly userinfo: (
    request: { readonly hidden: HiddenClient; readonly accessToken: string },
    context: RequestContext,
  ) => Promise<Claims | null>
}
