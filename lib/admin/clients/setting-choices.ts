/** What the boxes of a client's form offer: everything that is registered, by its word on the wire and its name. */
import { knownScopes, scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { grantTypes } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Setting } from './settings.ts'

export type Choice = readonly [value: string, text: string]
type Of = Extract<Setting['input'], { kind: 'boxes' }>['of']
export type SettingChoices = Readonly<Record<Of, readonly Choice[]>>

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

/** The choices of one field with their texts, and with what is stored but not registered any longer. */
export function choicesOf(
  { input, choices: texts = {} }: Setting,
  registered: SettingChoices,
  stored: readonly string[],
): readonly Choice[] {
  const offered = input.kind === 'boxes' ? registered[input.of] : optionsOf(input)
  const missing = stored.filter(word => !offered.some(([value]) => value === word))
  return [...offered, ...missing.map(word => [word, word] as const)].map(([value, text]) => [
    value,
    texts[value] ?? text,
  ])
}

function optionsOf(input: Setting['input']): readonly Choice[] {
  return 'options' in input ? input.options.map(option => [option, option]) : []
}
