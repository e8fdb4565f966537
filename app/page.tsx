/** The front door: in development a map of everything, else a quiet sign. */
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, readVisit } from '#app/_ui/visit.ts'
import { DevelopmentMap } from './_ui/development-map.tsx'

export default async function HomePage() {
  const visit = await readVisit()
  const session = await visit.services.currentSession(visit.cookies.session)
  const frame = frameOf(visit, { path: '/', query: {}, offersSignOut: session !== null })
  const { t, siteName } = frame
  const { isLoopback, demo } = visit.services.config
  const ofDevelopment = demo ? 'home.leadDemo' : 'home.lead'
  const lead = isLoopback ? ofDevelopment : 'home.neutral'
  return (
    <Screen frame={frame} title={t('home.title', { name: siteName })} layout={isLoopback ? 'wide' : 'narrow'}>
      <PageHead app={null} heading={t('home.heading', { site: siteName })}>
        <p className="small muted">{t(lead)}</p>
      </PageHead>
      {isLoopback ? (
        <DevelopmentMap t={t} hasDemo={demo} />
      ) : (
        <a className="btn primary wide" href="/account">
          {t('home.account')}
        </a>
      )}
    </Screen>
  )
}
