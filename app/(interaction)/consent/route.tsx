/** Consent: what an app may do, in words, before it may do it. */
import { Notice } from '#app/_ui/notice.tsx'
import type { ConsentView } from '#lib/core/consent/consent.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { Screen } from '#lib/pages/screen.tsx'
import { shownApp } from '#lib/pages/shown-app.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { services } from '#lib/server/services.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'
import { AskedPermissions } from './asked-permissions.tsx'
import { ConsentAnswer } from './consent-answer.tsx'
import { ConsentHead } from './consent-head.tsx'
import type { LeftBoxes } from './permissions.tsx'
import { SignedInAs } from './signed-in-as.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/consent',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const query = pageQuery(request)
    const handle = pendingHandle(query)
    const { browser } = cookies
    const session = await s.currentSession(cookies.session)
    const [view, pending] = await Promise.all([
      s.consentView({ pending: handle, browser, session }),
      s.findPending(handle, browser),
    ])
    if (view === null || pending === null || handle === null) return resumeReply(query)
    const { uiLocales } = pending
    const frame = pageFrame(exchange, { query: { pending: handle }, uiLocales, offersSignOut: true })
    const isEmpty = query.error === 'nothing_selected'
    const left = isEmpty
      ? { scopes: scopeWords(query.ticked ?? ''), remember: query.remember !== 'off' }
      : null
    const { email, username } =
      session === null ? { email: null, username: null } : await s.accountNames(session)
    return pageReply(frame, <ConsentPage {...{ frame, view, handle, left, detail: email ?? username }} />)
  },
})

type ConsentPageProps = {
  readonly frame: Frame
  readonly view: ConsentView
  readonly handle: string
  /** The email address or user name of the account. */
  readonly detail: string | null
  /** The boxes of an answer without any permission; `null`: the page opens for the first time. */
  readonly left: LeftBoxes | null
}

function ConsentPage({ frame, view, handle, left, detail }: ConsentPageProps) {
  const { t, locale } = frame
  const app = shownApp(view.client, frame.issuer)
  const isEmpty = left !== null
  return (
    <Screen frame={frame} title={t('consent.title', { app: app.name })} isProblem={isEmpty} layout="wide">
      <ConsentHead frame={frame} app={app} view={view} />
      <SignedInAs t={t} name={view.subjectName} detail={detail} pending={handle} />
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
