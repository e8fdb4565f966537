/** For a user who comes back to a sign-in that is already completed, by the Back button or in another tab. */
import { displayName } from '#lib/protocol/text/display-text.ts'
import type { Frame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Screen } from './screen.tsx'

type SignedInPageProps = {
  readonly frame: Frame
  readonly clientName: string | null
  /** Where the app continues. */
  readonly href: string | null
}

export function SignedInPage({ frame, clientName, href }: SignedInPageProps) {
  const { t } = frame
  const app = displayName(clientName, '?')
  return (
    <Screen frame={frame} title={t('landing.title')}>
      <PageHead app={null} heading={t('landing.title')} />
      <p className="muted">{t('finished.body', { app })}</p>
      <div className="stack">
        {href !== null && (
          <a className="btn primary wide" href={href} rel="noreferrer">
            {t('finished.continue', { app })}
          </a>
        )}
        <a className="btn wide" href="/account">
          {t('home.account')}
        </a>
      </div>
    </Screen>
  )
}
