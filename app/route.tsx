/** The start page: on a local server a map of everything that runs, else only the way to the account. */
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { services } from '#lib/server/services.ts'
import { DevelopmentMap } from './_ui/development-map.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { cookies, services: s } = exchange
    const session = await s.currentSession(cookies.session)
    const frame = pageFrame(exchange, { offersSignOut: session !== null })
    const { t, siteName } = frame
    const { isLoopback, demo } = s.config
    const ofDevelopment = demo ? 'home.leadDemo' : 'home.lead'
    const page = (
      <Screen
        frame={frame}
        title={t('home.title', { name: siteName })}
        layout={isLoopback ? 'wide' : 'narrow'}
      >
        <PageHead app={null} heading={t('home.heading', { site: siteName })}>
          <p className="small muted">{t(isLoopback ? ofDevelopment : 'home.neutral')}</p>
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
    return pageReply(frame, page)
  },
})
