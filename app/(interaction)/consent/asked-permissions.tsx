/** What the app asks for. Who allowed it something before sees what is new, and the rest behind a line that opens. */
import type { ConsentScope, ConsentView } from '#lib/core/consent/consent.ts'
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { type LeftBoxes, Permissions } from './permissions.tsx'

type Words = { readonly t: Translate; readonly locale: Locale }
type AskedPermissionsProps = Words & { readonly view: ConsentView; readonly left?: LeftBoxes | null }

export function AskedPermissions({ t, locale, view, left = null }: AskedPermissionsProps) {
  const words = { t, locale, view, left }
  const all = [...view.identityScopes, ...view.resourceScopes, ...offlineOf(view)]
  const allowed = all.filter(({ isNew }) => !isNew)
  if (allowed.length === all.length) return <Groups {...words} isListed={() => true} />
  return (
    <>
      <Groups {...words} isListed={({ isNew }) => isNew} />
      {allowed.length > 0 && (
        <details className="allowed-before">
          <summary>{t('consent.allowedBefore', { count: allowed.length })}</summary>
          <Groups {...words} isListed={({ isNew }) => !isNew} areAllowed />
        </details>
      )}
    </>
  )
}

type GroupsProps = AskedPermissionsProps & {
  readonly isListed: (scope: ConsentScope) => boolean
  /** Stays allowed unless the person unticks it. */
  readonly areAllowed?: boolean
}

function Groups({ t, locale, view, isListed, left = null, areAllowed = false }: GroupsProps) {
  const words = { t, locale, left }
  return (
    <>
      <Permissions {...words} title="consent.identity" scopes={view.identityScopes.filter(isListed)} />
      <Permissions
        {...words}
        title="consent.resources"
        scopes={view.resourceScopes.filter(isListed)}
        isCautious={!areAllowed}
      />
      <Permissions {...words} title="consent.offline" scopes={offlineOf(view).filter(isListed)} />
    </>
  )
}

function offlineOf({ offline }: ConsentView): readonly ConsentScope[] {
  return offline === null ? [] : [offline]
}
