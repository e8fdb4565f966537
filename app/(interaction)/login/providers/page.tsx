/** Home realm: the list of organisations, and the one that an email address belongs to. */
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { shownApp } from '#app/_ui/shown-app.ts'
import { frameOf, leaveToResume, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { carriedFields, withCarried } from '../addresses.ts'
import { BackToApp } from '../back-to-app.tsx'
import { LoginProblem, problemOf } from '../login-problem.tsx'
import { leaveIfSignedIn, readSignIn } from '../sign-in-view.ts'
import { DomainForm } from './domain-form.tsx'
import { ProviderList } from './provider-list.tsx'

export default async function ProvidersPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const view = await readSignIn(visit, query)
  if (view === null) leaveToResume(query)
  await leaveIfSignedIn(visit, query)

  const { carried, client, providers, allowsPassword, uiLocales } = view
  const kept = Object.fromEntries(carriedFields(carried))
  const frame = frameOf(visit, { path: '/login/providers', query: kept, uiLocales })
  const { t, siteName, issuer, locale } = frame
  const app = client === null ? null : shownApp(client, issuer)
  const isUnknown = query.error === 'unknown_domain'
  const problem = problemOf(query)
  const hasDomains = providers.some(({ domains }) => domains.length > 0)
  const isProblem = isUnknown || problem !== null
  return (
    <Screen
      frame={frame}
      title={t('providers.title', { name: app?.name ?? siteName })}
      isProblem={isProblem}
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
