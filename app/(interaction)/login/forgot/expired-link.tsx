/** The page of a link that was used, replaced or has expired. */
import { mailProof } from '#lib/config/limits.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export function ExpiredLink({ frame }: { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('recovery.expiredTitle', { name: siteName })}>
      <PageHead app={null} heading={t('recovery.expiredHeading')}>
        <p className="small muted">{t('recovery.expired', { minutes: mailProof.lifetimeSeconds / 60 })}</p>
      </PageHead>
      <div className="stack">
        <a className="btn primary wide" href={browserAddress('/login/forgot')}>
          {t('recovery.again')}
        </a>
        <a className="btn plain small muted" href={browserAddress('/login')}>
          {t('recovery.back')}
        </a>
      </div>
    </Screen>
  )
}
