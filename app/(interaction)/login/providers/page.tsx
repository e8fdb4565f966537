/** Home realm: the list of organisations, and the one that an e-mail address belongs to. */
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { shownApp } from '#app/_ui/shown-app.ts'
import {
  frameOf,
  keep,
  leaveToResume,
  type PageInput,
  pendingHandle,
  readQuery,
  readVisit,
} from '#app/_ui/visit.ts'
import { withPending } from '../addresses.ts'
import { LoginProblem, problemOf } from '../login-problem.tsx'
import { readSignIn } from '../sign-in-view.ts'
import { DomainForm } from './domain-form.tsx'
import { ProviderList } from './provider-list.tsx'

export default async function ProvidersPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const view = await readSignIn(visit, query)
  if (view === null) leaveToResume(query)

  const pending = pendingHandle(query)
  const frame = frameOf(visit, {
    path: '/login/providers',
    query: keep(query, 'pending'),
    uiLocales: view.uiLocales,
  })
  const { t } = frame
  const app = view.client === null ? null : shownApp(view.client, frame.issuer)
  const isUnknown = query.error === 'unknown_domain'
  const problem = problemOf(query)
  const hasDomains = view.providers.some(({ domains }) => domains.length > 0)
  return (
    <Screen
      frame={frame}
      title={t('providers.title', { name: app?.name ?? frame.siteName })}
      isProblem={isUnknown || problem !== null}
    >
      <PageHead app={app} heading={t('providers.heading')}>
        {app !== null && <p className="small muted">{t('providers.lead', { app: app.name })}</p>}
      </PageHead>
      {isUnknown && (
        <Notice kind="bad" id="problem">
          {t('providers.unknownDomain')}
        </Notice>
      )}
      {problem !== null && <LoginProblem t={t} problem={problem} allowsPassword={view.allowsPassword} />}
      {hasDomains && <DomainForm t={t} pending={pending} isWrong={isUnknown} />}
      {hasDomains && <div className="or">{t('login.or')}</div>}
      <ProviderList t={t} locale={frame.locale} providers={view.providers} pending={pending} />
      {view.allowsPassword && (
        <p className="small center">
          <a href={withPending('/login', pending)}>{t('providers.password')}</a>
        </p>
      )}
    </Screen>
  )
}
