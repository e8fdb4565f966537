/** One group of permissions: new ones first, needed ones locked. */

import { scopeWording } from '#app/_ui/scope-wording.ts'
import type { ConsentScope } from '#lib/core/consent/consent-view.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'

type PermissionsProps = {
  readonly t: Translate
  readonly title: MessageKey
  readonly scopes: readonly ConsentScope[]
  /** Whether sensitive ones that can be left out start unticked. */
  readonly isCautious?: boolean
}

export function Permissions({ t, title, scopes, isCautious = false }: PermissionsProps) {
  if (scopes.length === 0) return null
  const newFirst = scopes.toSorted((left, right) => Number(right.isNew) - Number(left.isNew))
  return (
    <fieldset className="perms">
      <legend>{t(title)}</legend>
      {newFirst.map(scope => (
        <Permission key={scope.name} t={t} scope={scope} isTicked={!(isCautious && scope.emphasize)} />
      ))}
    </fieldset>
  )
}

type PermissionProps = { readonly t: Translate; readonly scope: ConsentScope; readonly isTicked: boolean }

function Permission({ t, scope, isTicked }: PermissionProps) {
  const { name, required } = scope
  const words = scopeWording(t, scope)
  return (
    <label className="perm">
      {/* A locked box is not sent by the browser, so its value goes along separately. */}
      {required && <input type="hidden" name="scope" value={name} />}
      <input
        type="checkbox"
        name={required ? undefined : 'scope'}
        value={name}
        defaultChecked={required || isTicked}
        disabled={required}
      />
      <span>
        <span className="line">
          {words.title}
          <Marks t={t} scope={scope} />
        </span>
        {words.detail !== null && <span className="small muted block">{words.detail}</span>}
      </span>
    </label>
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
