/** The other sign-in methods: up to four here, all of them on a separate page. */

import { Notice } from '#app/_ui/notice.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { externalStart, withCarried } from './addresses.ts'
import type { SignInView } from './sign-in-view.ts'

type ProviderButtonsProps = {
  readonly frame: Frame
  readonly view: SignInView
  /** The provider that the signed-in user came from. */
  readonly usual: string | null
  /** The one that was last used in this browser. */
  readonly latest: string | null
}

const mostButtons = 4

/** For a user who signs in again: the provider they came from, before the password form. */
export function UsualProvider({ frame: { t }, view, usual }: Omit<ProviderButtonsProps, 'latest'>) {
  const found = view.providers.find(({ scheme }) => scheme === usual)
  if (found === undefined) return null
  const provider = displayName(found.displayName, found.scheme)
  return (
    <div className="stack">
      <p className="small muted">{t('login.usualProvider', { provider })}</p>
      <a className="btn primary wide" href={externalStart(found.scheme, view.carried)}>
        {t('login.continueWith', { provider })}
      </a>
      {view.allowsPassword && <div className="or">{t('login.or')}</div>}
    </div>
  )
}

export function ProviderButtons({ frame: { t, siteName }, view, usual, latest }: ProviderButtonsProps) {
  const { carried } = view
  // The last used one comes first, so that it is among the buttons however many there are
  const isLatest = (scheme: string) => Number(scheme === latest)
  const providers = view.providers
    .filter(({ scheme }) => scheme !== usual)
    .toSorted((one, other) => isLatest(other.scheme) - isLatest(one.scheme))
  if (providers.length === 0 && view.providers.length > 0) return null
  if (providers.length === 0) {
    return view.allowsPassword ? null : <Notice kind="warn">{t('login.noWay', { site: siteName })}</Notice>
  }
  // One organisation needs no page to be found on
  const isSearched = providers.length > 1 && providers.some(({ domains }) => domains.length > 0)
  const hasMore = isSearched || providers.length > mostButtons
  return (
    <>
      {view.allowsPassword && <div className="or">{t('login.or')}</div>}
      <div className="stack">
        {providers.slice(0, mostButtons).map(({ scheme, displayName: name }) => (
          <a className="btn wide" key={scheme} href={externalStart(scheme, carried)}>
            {t('login.continueWith', { provider: displayName(name, scheme) })}
            {scheme === latest && <span className="tag">{t('login.lastUsed')}</span>}
          </a>
        ))}
        {hasMore && (
          <a className="btn plain small muted" href={withCarried('/login/providers', carried)}>
            {t('login.moreWays')}
          </a>
        )}
      </div>
    </>
  )
}
