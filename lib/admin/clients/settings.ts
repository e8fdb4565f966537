/** The settings of a client by group, from the texts of its fields: what the form is drawn from, and read back by. */
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { type FieldForm, type FieldText, formOf, textOf } from '#lib/protocol/registration/fields.ts'

export type SettingInput =
  | FieldForm
  /** Boxes for what is registered: scopes, identity providers, grant types. */
  | { readonly kind: 'boxes'; readonly of: 'scopes' | 'providers' | 'grant_types' }

export type Setting = FieldText & {
  /** As the registration document spells it. */
  readonly field: string
  readonly input: SettingInput
}

export type SettingGroup = {
  readonly title: string
  /** The standard that defines most of its fields. */
  readonly standard: { readonly name: string; readonly href: string }
  readonly settings: readonly Setting[]
}

const boxes: Readonly<Record<string, SettingInput>> = {
  scope: { kind: 'boxes', of: 'scopes' },
  grant_types: { kind: 'boxes', of: 'grant_types' },
  identity_provider_restrictions: { kind: 'boxes', of: 'providers' },
}

const rfc = (number: number, section: string) => ({
  name: `RFC ${number} §${section}`,
  href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
})

const standards: Readonly<Record<string, SettingGroup['standard']>> = {
  Redirects: rfc(9700, '2.1'),
  'Sign-in and consent': {
    name: 'OpenID Connect Core §3.1.2.4',
    href: 'https://openid.net/specs/openid-connect-core-1_0.html#Consent',
  },
  Tokens: rfc(9068, '2'),
  'Refresh tokens': rfc(9700, '4.14.2'),
}

const settings: readonly Setting[] = Object.entries(clientMetadataFields).flatMap(([field, schema]) => {
  const text = textOf(schema)
  if (text?.group === undefined) return []
  return [{ ...text, field, input: boxes[field] ?? formOf(schema) }]
})

const titles = [...new Set(settings.flatMap(({ group }) => group ?? []))]

export const clientSettings: readonly SettingGroup[] = titles.map(title => ({
  title,
  standard: standards[title] ?? rfc(7591, '2'),
  settings: settings.filter(({ group }) => group === title),
}))
