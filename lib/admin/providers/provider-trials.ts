/** Trying a provider out, as the dashboard needs it. `lib/identity/trial-sign-in.ts` does it. */
import type { ProviderFailure } from '#lib/errors/provider-failures.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import type { Digest } from '#lib/protocol/ids.ts'

/** `visit`: the digest of the admin session that started the test; no other session can complete it. */
type Trial = { readonly scheme: string; readonly visit: Digest }

export type ProviderTrials = {
  readonly start: (
    trial: Trial,
  ) => Promise<
    | { readonly kind: 'redirect'; readonly url: string }
    | { readonly kind: 'unknown_provider' }
    | { readonly kind: 'failed'; readonly failure: ProviderFailure }
  >
  readonly finish: (
    trial: Trial & { readonly parameters: Readonly<Record<string, string>> },
  ) => Promise<
    | { readonly kind: 'identity'; readonly identity: ExternalIdentity }
    | { readonly kind: 'expired' }
    | { readonly kind: 'failed'; readonly failure: ProviderFailure }
  >
}
