/** The page for users who open the sign-in page while they are signed in. */
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type AlreadySignedInProps = {
  readonly frame: Frame
  readonly name: string
  readonly subject: string
  /** The path that the first button opens. */
  readonly next: string
  /** Whether other accounts may be signed in in this browser. */
  readonly hasOthers: boolean
}

export function AlreadySignedIn({ frame, name, subject, next, hasOthers }: AlreadySignedInProps) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('login.title', { name: siteName })}>
      <PageHead app={null} heading={t('login.signedIn')}>
        <p className="small muted">
          {t('login.signedInAs', { name: displayName(name, subject), site: siteName })}
        </p>
      </PageHead>
      <div className="stack">
        <a className="btn primary wide" href={browserAddress(next)}>
          {t('login.toAccount')}
        </a>
        <a className="btn wide" href={browserAddress(hasOthers ? '/select-account' : '/login?account=other')}>
          {t(hasOthers ? 'login.switchAccount' : 'login.otherAccount')}
        </a>
      </div>
    </Screen>
  )
}
