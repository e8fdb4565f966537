/**
 * The identity provider as a resource of the dashboard: how it is found, stored and shown. Its secret is never shown
 * (AD-05).
 */

import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { type ProviderScheme, providerSchemeSchema } from '#lib/protocol/ids.ts'
import { presetNames, secretMethods } from '#lib/protocol/registration/provider-presets.ts'
import { reauthentications } from '#lib/protocol/vocabulary.ts'
import { providerLogoutUri, providerRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { providerDocument } from '../configuration/export-configuration.ts'
import type { Resource } from '../resource/resource.ts'
import { viewOf } from '../view.ts'

export const providerViewSchema = z.object({
  scheme: z.string(),
  display_name: z.string(),
  preset: z.enum(presetNames),
  issuer: z.string(),
  client_id: z.string(),
  authorization_endpoint: z.string().nullable(),
  token_endpoint: z.string().nullable(),
  userinfo_endpoint: z.string().nullable(),
  client_authentication: z.enum(secretMethods).nullable(),
  claim_names: z.record(z.string(), z.string()),
  pkce: z.boolean(),
  tenants: z.array(z.string()),
  team_id: z.string().nullable(),
  key_id: z.string().nullable(),
  scope: z.string(),
  domains: z.array(z.string()),
  reauthentication: z.enum(reauthentications),
  sign_out_at_provider: z.boolean(),
  hidden: z.boolean(),
  second_factor_values: z.array(z.string()),
  trusts_email: z.boolean(),
  enabled: z.boolean(),
  has_secret: z.boolean(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The redirect URI to register at the provider. */
  callback_uri: z.string(),
  /** The post-logout redirect URI to register at the provider, if users are signed out there. */
  post_logout_redirect_uri: z.string(),
})

export type ProviderView = z.infer<typeof providerViewSchema>
/** A stored provider, whose secret is sealed. */
export type StoredProvider = Awaited<ReturnType<AdminLists['providers']>>[number]

/** The stored provider in the format of the API. */
export function providerView(
  { settings }: Pick<AdminPorts, 'settings'>,
  stored: StoredProvider,
): ProviderView {
  return viewOf(providerViewSchema, stored, {
    has_secret: stored.clientSecret !== null,
    callback_uri: providerRedirectUri(settings.issuer, stored.scheme),
    post_logout_redirect_uri: providerLogoutUri(settings.issuer, stored.scheme),
  })
}

/** The settings for the audit log and the conflict page: whether there is a secret, but not the secret. */
function providerFacts(provider: IdentityProvider) {
  return { ...providerDocument(provider), has_secret: provider.clientSecret !== null }
}

/** The provider with this scheme; `null` if there is none. */
export async function storedProvider(
  { adminLists }: Pick<AdminPorts, 'adminLists'>,
  scheme: ProviderScheme,
): Promise<StoredProvider | null> {
  return (await adminLists.providers()).find(provider => provider.scheme === scheme) ?? null
}

type ProviderTypes = {
  readonly field: 'scheme'
  readonly id: ProviderScheme
  readonly row: IdentityProvider
  readonly extra: object
  readonly view: ProviderView
}

export const providers: Resource<ProviderTypes> = {
  kind: 'provider',
  area: 'providers',
  idField: 'scheme',
  idSchema: providerSchemeSchema,
  readId: given => providerSchemeSchema.parse(given),
  idOf: ({ scheme }) => scheme,
  find: storedProvider,
  view: providerView,
  viewSchema: providerViewSchema,
  audited: (row, before) => ({
    ...providerFacts(row),
    ...(before !== null && before.clientSecret !== row.clientSecret ? { secret_changed: true } : {}),
  }),
  current: stored => ({ version: stored.version, ...providerFacts(stored) }),
  check: async (_ports, { row }) => ok(row),
  put: (record, expectedVersion) => ({ kind: 'put', of: 'provider', record, expectedVersion }),
  remove: (id, expectedVersion) => ({ kind: 'remove', of: 'provider', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, enabled }),
}
