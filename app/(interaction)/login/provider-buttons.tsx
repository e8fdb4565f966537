/** The other ways in: up to four at once, the rest on their own page. */

import type { Frame } from '#app/_ui/frame.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { displayName } from '#lib/protocol/display-text.ts'
import { externalStart, withPending } from './addresses.ts'
import type { SignInView } from './sign-in-view.ts'

type ProviderButtonsProps = {
  readonly frame: Frame
  readonly view: SignInView
  readonly pending: string | null
}

const mostButtons = 4

export function ProviderButtons({ frame: { t, siteName }, view, pending }: ProviderButtonsProps) {
  if (view.providers.length === 0) {
    return view.allowsPassword ? null : <Notice kind="warn">{t('login.noWay', { site: siteName })}</Notice>
  }
  const hasMore =
    view.providers.length > mostButtons || view.providers.some(({ domains }) => domains.length > 0)
  return (
    <>
      {view.allowsPassword && <div className="or">{t('login.or')}</div>}
      <div className="stack">
        {view.providers.slice(0, mostButtons).map(({ scheme, displayName: name }) => (
          <a className="btn wide" key={scheme} href={externalStart(scheme, pending)}>
            {t('login.continueWith', { provider: displayName(name, scheme) })}
          </a>
        ))}
        {hasMore && (
          <a className="btn plain small muted" href={withPending('/login/providers', pending)}>
            {t('login.moreWays')}
          </a>
        )}
      </div>
    </>
  )
}
