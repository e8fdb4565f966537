/** The scopes, providers and grant types that can be chosen for a client. */
import type { z } from 'zod'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { Choice } from '#lib/admin/setting-form.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { knownScopes, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { grantTypes, localProvider } from '#lib/protocol/vocabulary.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'

type Choices = 'scopes' | 'api_scopes' | 'providers' | 'grant_types'

/** Choices by kind. `api_scopes` are the scopes that a client without users can have. */
export type SettingChoices = Readonly<Record<Choices, readonly Choice[]>>

/** Reads all choices, each with its value on the wire and its name. */
export async function settingChoices({ adminLists, customGrants }: AdminPorts): Promise<SettingChoices> {
  const [scopes, providers] = await Promise.all([adminLists.scopes(), adminLists.providers()])
  const registered = new Map<string, z.output<typeof scopeMetadataSchema>>(
    scopes.map(({ name, metadata }) => [name, scopeMetadataSchema.parse(metadata)]),
  )
  const known = [...knownScopes(registered.keys())]
  const nameOf = (name: string) => (name === adminScope ? 'Administer this server' : name)
  const choice = (name: string) => [name, registered.get(name)?.display_name ?? nameOf(name)] as const
  const isOfApi = (name: string) =>
    name === adminScope || (name !== offlineScope && registered.get(name)?.kind === 'resource')
  return {
    scopes: known.map(choice),
    api_scopes: known.filter(isOfApi).map(choice),
    providers: [
      [localProvider, localProvider],
      ...providers.map(({ scheme, displayName }) => [scheme, displayName] as const),
    ],
    grant_types: [...grantTypes, ...customGrants.map(({ grantType }) => grantType)].map(type => [type, type]),
  }
}
