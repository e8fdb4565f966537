/** One group of permissions; needed ones are locked. */
import type { ReactNode } from 'react'
import { scopeWording } from '#app/_ui/scope-wording.ts'
import type { ConsentScope } from '#lib/core/consent/consent.ts'
import type { Locale } from '#lib/i18n/locales.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'

/** The boxes as an answer that could not be accepted left them; `null`: the page is shown for the first time. */
export type LeftBoxes = { readonly scopes: readonly string[]; readonly remember: boolean }

type Words = { readonly t: Translate; readonly locale: Locale }

type PermissionsProps = Words & {
  readonly title: MessageKey
  readonly scopes: readonly ConsentScope[]
  /** Whether sensitive ones that can be left out start unticked. */
  readonly isCautious?: boolean
  readonly left?: LeftBoxes | null
}

export function Permissions({ t, locale, title, scopes, isCautious = false, left = null }: PermissionsProps) {
  if (scopes.length === 0) return null
  return (
    <fieldset className="perms">
      <legend>{t(title)}</legend>
      {scopes.map(scope => (
        <Permission
          key={scope.name}
          t={t}
          locale={locale}
          scope={scope}
          isTicked={left?.scopes.includes(scope.name) ?? !(isCautious && scope.emphasize)}
        />
      ))}
    </fieldset>
  )
}

type PermissionProps = Words & { readonly scope: ConsentScope; readonly isTicked: boolean }

function Permission({ t, locale, scope, isTicked }: PermissionProps) {
  const { title, detail } = scopeWording(t, locale, scope)
  const words = (
    <>
      <span className="strong">{title}</span>
      <Marks t={t} scope={scope} />
      {detail !== null && <span className="small muted detail">{detail}</span>}
    </>
  )
  if (scope.required) return <Locked name={scope.name}>{words}</Locked>
  return (
    <label className="perm">
      <input type="checkbox" name="scope" value={scope.name} defaultChecked={isTicked} />
      {words}
    </label>
  )
}

/** It cannot be changed, so it is not a checkbox: browsers draw a disabled one too faintly. */
function Locked({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="perm">
      <input type="hidden" name="scope" value={name} />
      <span className="locked" aria-hidden="true">
        ✓
      </span>
      {children}
    </div>
  )
}

function Marks({ t, scope }: { readonly t: Translate; readonly scope: ConsentScope }) {
  return (
    <span className="tags">
      {scope.isNew && <span className="tag brass">{t('consent.isNew')}</span>}
      {scope.emphasize && <span className="tag warn">⚠ {t('consent.sensitive')}</span>}
      {scope.required && <span className="tag">{t('consent.needed')}</span>}
    </span>
  )
}
