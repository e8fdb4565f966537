/** What can be chosen for a client because it is registered. */
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { Choice } from '#lib/admin/setting-form.ts'
import { knownScopes, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { grantTypes, localProvider } from '#lib/protocol/vocabulary.ts'

export type SettingChoices = Readonly<Record<'scopes' | 'providers' | 'grant_types', readonly Choice[]>>

/** Everything that is registered, by its value on the wire and its name. */
export async function settingChoices({ adminLists, customGrants }: AdminPorts): Promise<SettingChoices> {
  const [scopes, providers] = await Promise.all([adminLists.scopes(), adminLists.providers()])
  const titles = new Map<string, string | null>(
    scopes.map(({ name, metadata }) => [name, scopeMetadataSchema.parse(metadata).display_name]),
  )
  return {
    scopes: [...knownScopes(titles.keys())].map(name => [name, titles.get(name) ?? name]),
    providers: [
      [localProvider, localProvider],
      ...providers.map(({ scheme, displayName }) => [scheme, displayName] as const),
    ],
    grant_types: [...grantTypes, ...customGrants.map(({ grantType }) => grantType)].map(type => [type, type]),
  }
}
