/** The form of a client: its settings by group, the choices of each, and the conversion from and to a document. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { type FieldForm, type FieldText, formOf, textOf } from '#lib/protocol/registration/fields.ts'
import { knownScopes, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { grantTypes } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { jsonOrText, linesOf } from '../form-texts.ts'
import type { FormFields } from '../use-case.ts'

type SettingInput =
  | FieldForm
  /** Boxes for what is registered. */
  | { readonly kind: 'boxes'; readonly of: 'scopes' | 'providers' | 'grant_types' }
  /** A list with advice. */
  | { readonly kind: 'redirect_uris' }

export type Setting = FieldText & {
  /** Its name in the registration document. */
  readonly field: string
  readonly input: SettingInput
}

type SettingGroup = {
  readonly title: string
  /** The standard that defines most of its fields. */
  readonly standard: { readonly name: string; readonly href: string }
  readonly settings: readonly Setting[]
}

const ownInputs: Readonly<Record<string, SettingInput>> = {
  redirect_uris: { kind: 'redirect_uris' },
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
  return [{ ...text, field, input: ownInputs[field] ?? formOf(schema) }]
})

/** Its label and help, for the form of a new client. */
export const redirectUrisText = textOf(clientMetadataFields.redirect_uris)

/** In the order of the form. */
export const clientSettings: readonly SettingGroup[] = [
  ...new Set(settings.flatMap(({ group }) => group ?? [])),
].map(title => ({
  title,
  standard: standards[title] ?? rfc(7591, '2'),
  settings: settings.filter(({ group }) => group === title),
}))

type Choice = readonly [value: string, text: string]
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
    providers: providers.map(({ scheme, displayName }) => [scheme, displayName]),
    grant_types: [...grantTypes, ...customGrants.map(({ grantType }) => grantType)].map(type => [type, type]),
  }
}

/** The choices of one field with their texts, and with stored values that are no longer registered. */
export function choicesOf(
  { input, choices: texts = {} }: Setting,
  registered: SettingChoices,
  stored: readonly string[],
): readonly Choice[] {
  const options = 'options' in input ? input.options : []
  const offered =
    input.kind === 'boxes' ? registered[input.of] : options.map(option => [option, option] as const)
  const missing = stored.filter(word => !offered.some(([value]) => value === word))
  return [...offered, ...missing.map(word => [word, word] as const)].map(([value, text]) => [
    value,
    texts[value] ?? text,
  ])
}

/**
 * The document of a posted form. An empty field is left out, which means its default; an invalid number or invalid JSON
 * stays a text, which the schema then refuses at the field.
 */
export function metadataFromForm(fields: FormFields): Readonly<Record<string, JsonValue>> {
  const given = settings.flatMap(setting => {
    const texts = fields[setting.field]?.map(text => text.replaceAll('\r\n', '\n').trim())
    const value = texts === undefined ? undefined : settingValue(setting, texts)
    return value === undefined ? [] : [[setting.field, value] as const]
  })
  return Object.fromEntries(given)
}

/** The texts of each field of a document with its defaults: one text, or one for each ticked box. */
export function formFromMetadata(
  read: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(settings.map(({ field, input }) => [field, shownTexts(input, read[field])]))
}

function shownTexts({ kind }: SettingInput, value: unknown): readonly string[] {
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  return kind === 'boxes' ? wordsIn([shownText(value)]) : [shownText(value)]
}

function shownText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(String).join('\n')
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
}

/** Boxes send one text each; everything else sends one text. */
function settingValue({ field, input }: Setting, texts: readonly string[]): JsonValue | undefined {
  const text = texts.at(-1) ?? ''
  switch (input.kind) {
    case 'boxes':
      if (input.of === 'providers') return unlessEmpty(wordsIn(texts))
      return field === 'scope' ? wordsIn(texts).join(' ') : wordsIn(texts)
    case 'choices':
      return unlessEmpty(texts)
    case 'list':
    case 'redirect_uris':
      return unlessEmpty(linesOf(text))
    case 'check':
      return text === 'true'
    case 'number':
      return /^\d+$/.test(text) ? Number(text) : text || undefined
    case 'json':
      return text === '' ? undefined : jsonOrText(text)
    default:
      return text || undefined
  }
}

function wordsIn(texts: readonly string[]): string[] {
  return texts.flatMap(text => text.split(/\s+/)).filter(word => word !== '')
}

/** An empty list means the default, which for most lists is the empty list. */
function unlessEmpty(texts: readonly string[]): JsonValue | undefined {
  const given = texts.filter(text => text !== '')
  return given.length === 0 ? undefined : given
}
