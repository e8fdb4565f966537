/** Exports the configuration in the format of the configuration file, without secrets and passwords (AD-05). */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Configuration } from '#lib/ports/configuration-store.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { type Policies, policyFields } from '#lib/protocol/registration/policies.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { invalid } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'

const documentSchema = z.object({
  clients: z.array(jsonValueSchema),
  scopes: z.array(jsonValueSchema),
  users: z.array(jsonValueSchema).optional(),
  identity_providers: z.array(jsonValueSchema),
  policies: jsonValueSchema.optional(),
})

export const exportConfiguration = defineUseCase({
  name: 'configuration.export',
  permission: 'configuration:read',
  isSensitive: true,
  summary:
    'Exports clients, scopes, identity providers, policies and, if asked, users; without secrets and passwords.',
  done: 'Configuration exported.',
  input: z.object({ users: z.stringbool().or(z.boolean()).default(false) }),
  output: documentSchema,
  api: { method: 'GET', path: '/configuration' },
  run: async (ports, { users }, { now, entry }) => {
    const { isMore } = await ports.adminLists.countUsers({ search: null, enabled: null })
    if (users && isMore)
      return invalid(
        'users',
        `There are more than ${adminList.counted} users: export without them, or from the database.`,
      )
    const registrations = await ports.configuration.read()
    const document = {
      ...documentOf(registrations),
      ...(users ? { users: (await ports.configuration.readUsers()).map(userDocument) } : {}),
    }
    const audit = [entry({ kind: 'configuration', id: 'export', before: null, after: { users } })]
    return commit(ports, { writes: [], audit }, { now, value: documentSchema.parse(document) })
  },
})

function documentOf({
  clients,
  scopes,
  providers,
  policies: [policies],
}: Omit<Configuration, 'users'>): z.input<typeof documentSchema> {
  return {
    clients: clients.map(({ metadata }) => metadata),
    // Scopes are written with all fields: a built-in scope has other defaults in a document
    scopes: scopes.map(({ metadata }) => scopeMetadataSchema.parse(metadata)),
    identity_providers: providers.map(providerDocument),
    ...(policies === undefined ? {} : { policies: policiesDocument(policies) }),
  }
}

/** A user in the format of the configuration file, without a password. */
export function userDocument({ subject, username, enabled, claims }: StoredUser) {
  return { username, sub: subject, enabled, claims }
}

/** The policies in the format of the configuration file, without the version of a stored record. */
export function policiesDocument(policies: Policies): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(policies).filter(([name]) => name in policyFields))
}

/** A provider in the format of the configuration file, without its secret. */
export function providerDocument(provider: IdentityProvider) {
  return {
    scheme: provider.scheme,
    display_name: provider.displayName,
    preset: provider.preset,
    issuer: provider.issuer,
    client_id: provider.clientId,
    authorization_endpoint: provider.authorizationEndpoint,
    token_endpoint: provider.tokenEndpoint,
    userinfo_endpoint: provider.userinfoEndpoint,
    client_authentication: provider.clientAuthentication,
    claim_names: { ...provider.claimNames },
    pkce: provider.pkce,
    tenants: [...provider.tenants],
    team_id: provider.teamId,
    key_id: provider.keyId,
    scope: provider.scope,
    domains: [...provider.domains],
    reauthentication: provider.reauthentication,
    sign_out_at_provider: provider.signOutAtProvider,
    hidden: provider.hidden,
    second_factor_values: [...provider.secondFactorValues],
    trusts_email: provider.trustsEmail,
    enabled: provider.enabled,
  }
}
