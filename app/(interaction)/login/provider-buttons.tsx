/** The other ways in: up to four at once, the rest on their own page. */

import { Notice } from '#app/_ui/notice.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { externalStart, withCarried } from './addresses.ts'
import type { SignInView } from './sign-in-view.ts'

type ProviderButtonsProps = { readonly frame: Frame; readonly view: SignInView }

const mostButtons = 4

export function ProviderButtons({ frame: { t, siteName }, view }: ProviderButtonsProps) {
  const { providers, carried } = view
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
