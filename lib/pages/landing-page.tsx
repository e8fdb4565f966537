/** A page that goes on by itself to an address of this origin. */
import type { Frame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Screen } from './screen.tsx'

type LandingPageProps = { readonly frame: Frame; readonly address: string }

export function LandingPage({ frame, address }: LandingPageProps) {
  const { t } = frame
  return (
    <Screen frame={{ ...frame, isMonolingual: true }} title={t('landing.title')}>
      <PageHead app={null} heading={t('landing.title')} />
      <a className="btn primary wide" href={address}>
        {t('landing.action')}
      </a>
    </Screen>
  )
}
