/** Home realm: the list of organisations, and the one that an email address belongs to. */
import { pageStatusOf } from '#app/_ui/limited-notice.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { shownApp } from '#lib/pages/shown-app.ts'
import { services } from '#lib/server/services.ts'
import { resumeReply } from '../../pending-page.ts'
import { carriedFields, withCarried } from '../addresses.ts'
import { BackToApp } from '../back-to-app.tsx'
import { LoginProblem, type Problem, problemOf } from '../login-problem.tsx'
import { isSignedInFor, readSignIn, type SignInView, selectAccountReply } from '../sign-in-view.ts'
import { DomainForm } from './domain-form.tsx'
import { ProviderList } from './provider-list.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/providers',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const query = pageQuery(request)
    const view = await readSignIn(exchange, query)
    if (view === null) return resumeReply(query)
    const session = await s.currentSession(cookies.session)
    if (await isSignedInFor(exchange, query, session)) return selectAccountReply(query)

    const lasting = Object.fromEntries(carriedFields(view.carried))
    const frame = pageFrame(exchange, { query: lasting, uiLocales: view.uiLocales })
    const isUnknown = query.error === 'unknown_domain'
    const problem = problemOf(query)
    return pageReply(frame, <ProvidersPage {...{ frame, view, isUnknown, problem }} />, pageStatusOf(problem))
  },
})

type ProvidersPageProps = {
  readonly frame: Frame
  readonly view: SignInView
  /** No organisation has the domain of the email address. */
  readonly isUnknown: boolean
  readonly problem: Problem | null
}

function ProvidersPage({ frame, view, isUnknown, problem }: ProvidersPageProps) {
  const { carried, client, providers, allowsPassword } = view
  const { t, siteName, issuer, locale } = frame
  const app = client === null ? null : shownApp(client, issuer)
  const hasDomains = providers.some(({ domains }) => domains.length > 0)
  return (
    <Screen
      frame={frame}
      title={t('providers.title', { name: app?.name ?? siteName })}
      isProblem={isUnknown || problem !== null}
      asksAgain={carried.pending !== null}
    >
      <PageHead app={app} heading={t('providers.heading')}>
        {app !== null && <p className="small muted">{t('providers.lead', { app: app.name })}</p>}
      </PageHead>
      {isUnknown && (
        <Notice kind="bad" id="problem">
          {t('providers.unknownDomain')}
        </Notice>
      )}
      {problem !== null && <LoginProblem {...{ t, problem, allowsPassword, providers }} />}
      {hasDomains && <DomainForm t={t} carried={carried} isWrong={isUnknown} />}
      {hasDomains && <div className="or">{t('login.or')}</div>}
      {providers.length === 0 ? (
        <p className="muted">{t('providers.none', { site: siteName })}</p>
      ) : (
        <ProviderList {...{ t, locale, providers, carried }} />
      )}
      {allowsPassword && (
        <a
          className={providers.length === 0 ? 'btn primary wide' : 'btn plain small'}
          href={withCarried('/login', carried)}
        >
          {t('providers.password')}
        </a>
      )}
      <BackToApp t={t} client={client} pending={carried.pending} />
    </Screen>
  )
}
