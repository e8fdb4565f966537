/**
 * The title and description of a permission. Title: as registered, else the built-in one, else the scope's name. Description:
 * as registered; the built-in one only together with the built-in title.
 */
import type { Locale } from '#lib/i18n/locales.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { ScopeTexts } from '#lib/protocol/registration/scope.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { inLanguage } from '#lib/protocol/text/language-tags.ts'

type Described = ScopeTexts & {
  readonly name: string
  readonly localized: Readonly<Record<string, ScopeTexts>>
}

export type ScopeWording = { readonly title: string; readonly detail: string | null }

const builtIn: Readonly<Record<string, { readonly title: MessageKey; readonly detail: MessageKey }>> = {
  openid: { title: 'scopes.openid.name', detail: 'scopes.openid.detail' },
  profile: { title: 'scopes.profile.name', detail: 'scopes.profile.detail' },
  email: { title: 'scopes.email.name', detail: 'scopes.email.detail' },
  phone: { title: 'scopes.phone.name', detail: 'scopes.phone.detail' },
  address: { title: 'scopes.address.name', detail: 'scopes.address.detail' },
  roles: { title: 'scopes.roles.name', detail: 'scopes.roles.detail' },
  groups: { title: 'scopes.groups.name', detail: 'scopes.groups.detail' },
  offline_access: { title: 'scopes.offline_access.name', detail: 'scopes.offline_access.detail' },
}

export function scopeWording(t: Translate, locale: Locale, scope: Described): ScopeWording {
  const ours = Object.hasOwn(builtIn, scope.name) ? builtIn[scope.name] : undefined
  const { displayName, description } = textsFor(scope, locale)
  const detail = description === null ? null : displayText(description, 160)
  if (displayName !== null) return { title: displayText(displayName, 80), detail }
  if (ours === undefined) return { title: displayText(scope.name, 80), detail }
  return { title: t(ours.title), detail: detail ?? t(ours.detail) }
}

/**
 * Texts in the user's language, else those without a language. A translated name is shown without a description that is not
 * translated.
 */
function textsFor({ displayName, description, localized }: Described, locale: Locale): ScopeTexts {
  const translated = inLanguage(localized, locale)
  if (translated === null) return { displayName, description }
  if (translated.displayName !== null) return translated
  return { displayName, description: translated.description ?? description }
}
