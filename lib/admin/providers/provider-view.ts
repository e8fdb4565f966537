/** An identity provider as admins read it. Its secret is never among what they read (AD-05). */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { ProviderScheme } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'

export const providerViewSchema = z.object({
  scheme: z.string(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  display_name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  domains: z.array(z.string()),
  enabled: z.boolean(),
  /** To be registered at the provider. */
  callback_uri: z.string(),
})

export type ProviderView = z.infer<typeof providerViewSchema>
/** Its secret is sealed. */
export type StoredProvider = Awaited<ReturnType<AdminLists['providers']>>[number]

/** The stored provider as the API answers it. */
export function providerView(
  { settings }: Pick<AdminPorts, 'settings'>,
  stored: StoredProvider,
): ProviderView {
  return {
    ...providerFacts(stored),
    version: stored.version,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    callback_uri: callbackUriOf(settings.issuer, stored.scheme),
  }
}

/** What the audit trail keeps of it. */
export function providerFacts(provider: IdentityProvider) {
  return {
    scheme: provider.scheme,
    display_name: provider.displayName,
    issuer: provider.issuer,
    client_id: provider.clientId,
    has_secret: provider.clientSecret !== null,
    domains: [...provider.domains],
    enabled: provider.enabled,
  }
}

/** One address per provider (RFC 9700 4.4). */
export function callbackUriOf(issuer: string, scheme: string): string {
  return `${issuer}/login/external/${scheme}/callback`
}

/** `null`: there is none of that scheme. */
export async function storedProvider(
  { adminLists }: Pick<AdminPorts, 'adminLists'>,
  scheme: ProviderScheme,
): Promise<StoredProvider | null> {
  return (await adminLists.providers()).find(provider => provider.scheme === scheme) ?? null
}
