/** What a waiting authorization request says about the sign-in it waits for. */
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { SignInHints } from '#lib/ports/users.ts'
import type { BrowserHandle, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import { localProvider, type Prompt } from '#lib/protocol/vocabulary.ts'

/** The part of a pending interaction that sign-in needs; `PendingInteraction` of the core satisfies it. */
export type Interaction = {
  readonly hints: SignInHints
  readonly localLoginAllowed: boolean
  /** Demanded by `acr_values=idp:`. */
  readonly requestedProvider: ProviderScheme | null
  /** Those that are enabled and that the client allows. */
  readonly providers: readonly IdentityProvider[]
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  readonly request: { readonly prompts: readonly Prompt[]; readonly maxAgeSeconds: number | null }
  readonly createdAt: Date
}

/** Looks a waiting request up again; `null` when it is gone, answered, or belongs to another browser. */
export type FindInteraction = (pending: PendingHandle, browser: BrowserHandle) => Promise<Interaction | null>

/** A visit to `/login` without an app behind it. */
const noHints: SignInHints = { client: null, tenant: null, acrValues: [] }

export function hintsOf(interaction: Interaction | null): SignInHints {
  return interaction?.hints ?? noHints
}

/** Whether the local password form may sign in for this request. */
export function allowsLocal(interaction: Interaction | null): boolean {
  if (interaction === null) return true
  return interaction.localLoginAllowed && demands(interaction, localProvider)
}

/** Whether this provider may sign in for this request. A visit without a request allows every enabled one. */
export function allowsProvider(interaction: Interaction | null, provider: IdentityProvider): boolean {
  if (!provider.enabled) return false
  if (interaction === null) return true
  const isOffered = interaction.providers.some(offered => offered.scheme === provider.scheme)
  return isOffered && demands(interaction, provider.scheme)
}

function demands(interaction: Interaction, scheme: string): boolean {
  return interaction.requestedProvider === null || interaction.requestedProvider === scheme
}
