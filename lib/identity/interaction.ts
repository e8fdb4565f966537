/** The pending request of a sign-in: its hints, the ways to sign in that it allows, and its sealed handle. */
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { SignInHints } from '#lib/ports/users.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'

/** The hints of a sign-in that no app requested. */
const noHints: SignInHints = { client: null, tenant: null, acrValues: [] }

export function hintsOf(interaction: PendingInteraction | null): SignInHints {
  return interaction?.hints ?? noHints
}

/** The request as the pages of a sign-in show it. */
export type ShownRequest = {
  /** The client of the request; `null`: no app requested the sign-in. */
  readonly client: Client | null
  readonly uiLocales: readonly string[]
}

export function shownRequest(interaction: PendingInteraction | null): ShownRequest {
  return { client: interaction?.client ?? null, uiLocales: interaction?.uiLocales ?? [] }
}

/** Whether a local sign-in is allowed for this request, or without a request. */
export function allowsLocal(
  { settings }: Pick<Ports, 'settings'>,
  interaction: PendingInteraction | null,
): boolean {
  if (interaction === null) return settings.localLogin
  return interaction.localLoginAllowed && allowsScheme(interaction, localProvider)
}

/** Whether a page with an offer may follow the sign-in. If `max_age` limits the age of the sign-in, time on the page could exceed it. */
export function mayOfferAfter(interaction: PendingInteraction | null): boolean {
  return (interaction?.request.maxAgeSeconds ?? null) === null
}

/** Whether this provider may be used for this request. Without a request every enabled provider may. */
export function allowsProvider(interaction: PendingInteraction | null, provider: IdentityProvider): boolean {
  if (!provider.enabled) return false
  if (interaction === null) return true
  const isOffered = interaction.providers.some(offered => offered.scheme === provider.scheme)
  return isOffered && allowsScheme(interaction, provider.scheme)
}

function allowsScheme(interaction: PendingInteraction, scheme: string): boolean {
  return interaction.requestedProvider === null || interaction.requestedProvider === scheme
}

/** The field that the events of one sign-in share; empty without a pending request. */
export function flowField(
  { hashing }: Pick<Ports, 'hashing'>,
  pending: PendingHandle | null,
): { readonly flow?: string } {
  return pending === null ? {} : { flow: flowOf(hashing.tokenDigest(pending)) }
}

/** Seals the handle, because a reader of the database could continue the pending request with it. */
export function sealPending(
  ports: Pick<Ports, 'sealing'>,
  pending: PendingHandle | null,
  sealingContext: string,
): string | null {
  return pending === null ? null : ports.sealing.seal(pending, sealingContext)
}

/** Opens the handle. Throws if the stored value cannot be opened. */
export function openPending(
  ports: Pick<Ports, 'sealing'>,
  sealed: string | null,
  sealingContext: string,
): PendingHandle | null {
  return sealed === null ? null : parseHandle('pending', ports.sealing.open(sealed, sealingContext))
}
