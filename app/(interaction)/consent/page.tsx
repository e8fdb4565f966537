/** Consent: what an app may do, in words, before it may do it. */
import { Notice } from '#app/_ui/notice.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { shownApp } from '#app/_ui/shown-app.ts'
import {
  frameOf,
  leaveToResume,
  type PageInput,
  pendingHandle,
  readQuery,
  readVisit,
} from '#app/_ui/visit.ts'
import { scopeWords } from '#lib/protocol/scope.ts'
import { AskedPermissions } from './asked-permissions.tsx'
import { ConsentAnswer } from './consent-answer.tsx'
import { ConsentHead } from './consent-head.tsx'
import { SignedInAs } from './signed-in-as.tsx'

export default async function ConsentPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const { services, cookies } = visit
  const handle = pendingHandle(query)
  const session = await services.currentSession(cookies.session)
  const carried = { pending: handle, browser: cookies.browser }
  const [view, pending] = await Promise.all([
    services.consentView({ ...carried, session }),
    services.findPending(carried.pending, carried.browser),
  ])
  if (view === null || pending === null || handle === null) leaveToResume(query)

  const frame = frameOf(visit, {
    path: '/consent',
    query: { pending: handle },
    uiLocales: pending.uiLocales,
    offersSignOut: true,
  })
  const { t, locale } = frame
  const app = shownApp(view.client, frame.issuer)
  const isEmpty = query.error === 'nothing_selected'
  const left = isEmpty ? { scopes: scopeWords(query.ticked ?? ''), remember: query.remember !== 'off' } : null
  return (
    <Screen frame={frame} title={t('consent.title', { app: app.name })} isProblem={isEmpty} layout="wide">
      <ConsentHead frame={frame} app={app} view={view} />
      <SignedInAs t={t} name={view.subjectName} pending={handle} />
      {!view.isVerifiable && <Notice kind="warn">{t('consent.notVerified')}</Notice>}
      {isEmpty && <Notice kind="bad">{t('consent.nothingSelected')}</Notice>}
      <form className="form" method="post" action="/consent/submit">
        <input type="hidden" name="pending" value={handle} />
        <AskedPermissions t={t} locale={locale} view={view} left={left} />
        <ConsentAnswer t={t} view={view} left={left} />
      </form>
    </Screen>
  )
}
