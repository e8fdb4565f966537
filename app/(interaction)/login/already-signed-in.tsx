/** For a user who is already signed in: continue to the account, or use a different one. */
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'

type AlreadySignedInProps = {
  readonly frame: Frame
  readonly name: string
  readonly subject: string
  readonly next: string
}

export function AlreadySignedIn({ frame, name, subject, next }: AlreadySignedInProps) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('login.title', { name: siteName })}>
      <PageHead app={null} heading={t('login.signedIn')}>
        <p className="small muted">
          {t('login.signedInAs', { name: displayName(name, subject), site: siteName })}
        </p>
      </PageHead>
      <div className="stack">
        <a className="btn primary wide" href={next}>
          {t('login.toAccount')}
        </a>
        <a className="btn wide" href="/login?account=other">
          {t('login.otherAccount')}
        </a>
      </div>
    </Screen>
  )
}
