/** The form of a client, and what is registered to choose from. */
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { textOf } from '#lib/protocol/registration/fields.ts'
import { knownScopes, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { grantTypes, localProvider } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type Choice, rfc, type SettingInput, settingForm } from '../setting-form.ts'

const ownInputs: Readonly<Record<string, SettingInput>> = {
  redirect_uris: { kind: 'redirect_uris' },
  scope: { kind: 'boxes', of: 'scopes' },
  grant_types: { kind: 'boxes', of: 'grant_types' },
  identity_provider_restrictions: { kind: 'boxes', of: 'providers' },
}

const standards: Readonly<Record<string, ReturnType<typeof rfc>>> = {
  Redirects: rfc(9700, '2.1'),
  'Sign-in and consent': {
    name: 'OpenID Connect Core §3.1.2.4',
    href: 'https://openid.net/specs/openid-connect-core-1_0.html#Consent',
  },
  Tokens: rfc(9068, '2'),
  'Refresh tokens': rfc(9700, '4.14.2'),
}

export const clientForm = settingForm(
  clientMetadataFields,
  ownInputs,
  title => standards[title] ?? rfc(7591, '2'),
)

/** Its label and help, for the form of a new client. */
export const redirectUrisText = textOf(clientMetadataFields.redirect_uris)

type Registered = Extract<SettingInput, { kind: 'boxes' }>['of']
export type SettingChoices = Readonly<Record<Registered, readonly Choice[]>>

/** Everything that is registered, by its value on the wire and its name. */
export async function settingChoices({
  adminLists,
  customGrants,
}: Pick<AdminPorts, 'adminLists' | 'customGrants'>): Promise<SettingChoices> {
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
