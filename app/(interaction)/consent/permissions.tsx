/** The requested permissions. If only some of them are new, the others are folded away below the new ones. */
import type { ReactNode } from 'react'
import { scopeWording } from '#app/_ui/scope-wording.ts'
import type { ConsentScope, ConsentView } from '#lib/core/consent/consent.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { LeftBoxes } from './consent-page.tsx'

type PermissionsProps = {
  readonly frame: Frame
  readonly view: ConsentView
  readonly left: LeftBoxes | null
}

export function Permissions(props: PermissionsProps) {
  const { frame, view } = props
  const all = [...view.identityScopes, ...view.resourceScopes, ...offlineOf(view)]
  const count = all.filter(({ isNew }) => !isNew).length
  if (count === all.length) return <Groups {...props} scopes={all} />
  return (
    <>
      <Groups {...props} scopes={all.filter(({ isNew }) => isNew)} />
      {count > 0 && (
        <details className="allowed-before">
          <summary>{frame.t('consent.allowedBefore', { count })}</summary>
          <Groups {...props} scopes={all.filter(({ isNew }) => !isNew)} />
        </details>
      )}
    </>
  )
}

function offlineOf({ offline }: ConsentView): readonly ConsentScope[] {
  return offline === null ? [] : [offline]
}

type GroupsProps = PermissionsProps & { readonly scopes: readonly ConsentScope[] }

function Groups({ frame, view, left, scopes }: GroupsProps) {
  const groups = [
    ['consent.identity', view.identityScopes],
    ['consent.resources', view.resourceScopes],
    ['consent.offline', offlineOf(view)],
  ] as const
  return groups.map(([title, group]) => {
    const listed = group.filter(scope => scopes.includes(scope))
    if (listed.length === 0) return null
    return (
      <fieldset className="perms" key={title}>
        <legend>{frame.t(title)}</legend>
        {listed.map(scope => (
          <Permission
            key={scope.name}
            frame={frame}
            scope={scope}
            isTicked={left?.scopes.includes(scope.name) ?? true}
          />
        ))}
      </fieldset>
    )
  })
}

type PermissionProps = { readonly frame: Frame; readonly scope: ConsentScope; readonly isTicked: boolean }

function Permission({ frame: { t, locale }, scope, isTicked }: PermissionProps) {
  const { title, detail } = scopeWording(t, locale, scope)
  const words = (
    <>
      <span className="strong">{title}</span>
      <Marks t={t} scope={scope} />
      {detail !== null && <span className="small muted detail">{detail}</span>}
    </>
  )
  if (scope.required) return <Required name={scope.name}>{words}</Required>
  return (
    <label className="perm">
      <input type="checkbox" name="scope" value={scope.name} defaultChecked={isTicked} />
      {words}
    </label>
  )
}

/** A permission that the user cannot deselect, with a check mark in place of a checkbox. */
function Required({ name, children }: { readonly name: string; readonly children: ReactNode }) {
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
