/** A permission in words: the operator's, else ours for the standard ones, else its technical name. */
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { displayText } from '#lib/protocol/display-text.ts'

type Described = {
  readonly name: string
  readonly displayName: string | null
  readonly description: string | null
}

export type ScopeWording = { readonly title: string; readonly detail: string | null }

const builtIn: Readonly<Record<string, { readonly title: MessageKey; readonly detail: MessageKey }>> = {
  openid: { title: 'scopes.openid.name', detail: 'scopes.openid.detail' },
  profile: { title: 'scopes.profile.name', detail: 'scopes.profile.detail' },
  email: { title: 'scopes.email.name', detail: 'scopes.email.detail' },
  phone: { title: 'scopes.phone.name', detail: 'scopes.phone.detail' },
  address: { title: 'scopes.address.name', detail: 'scopes.address.detail' },
  roles: { title: 'scopes.roles.name', detail: 'scopes.roles.detail' },
  offline_access: { title: 'scopes.offline_access.name', detail: 'scopes.offline_access.detail' },
}

export function scopeWording(t: Translate, scope: Described): ScopeWording {
  const ours = Object.hasOwn(builtIn, scope.name) ? builtIn[scope.name] : undefined
  const description = scope.description === null ? null : displayText(scope.description, 160)
  if (scope.displayName !== null) return { title: displayText(scope.displayName, 80), detail: description }
  if (ours === undefined) return { title: displayText(scope.name, 80), detail: description }
  return { title: t(ours.title), detail: description ?? t(ours.detail) }
}
