/** `prompt=select_account`, or the app named another user: continue as the signed-in user, or sign in as another. */
import { Notice } from '#app/_ui/notice.tsx'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { shownApp } from '#lib/pages/shown-app.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { services } from '#lib/server/services.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'
import { AccountChoice } from './account-choice.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/select-account',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const query = pageQuery(request)
    const handle = pendingHandle(query)
    const pending = await s.findPending(handle, cookies.browser)
    if (pending === null || handle === null) return resumeReply(query)
    const session = await s.currentSession(cookies.session)
    if (session === null) return seeOther(`/login?pending=${handle}`)
    const { client, loginHint, uiLocales } = pending
    const isAnotherAskedFor = loginHint !== null && (await s.loginHintDiffers({ loginHint, client, session }))
    const frame = pageFrame(exchange, { query: { pending: handle }, uiLocales, offersSignOut: true })
    const page = {
      frame,
      client,
      handle,
      name: displayName(session.name, session.subject),
      username: await s.usernameOf(session),
      hint: isAnotherAskedFor ? loginHint : null,
    }
    return pageReply(frame, <SelectAccountPage {...page} />)
  },
})

type SelectAccountPageProps = {
  readonly frame: Frame
  readonly client: Client
  readonly handle: string
  readonly name: string
  readonly username: string | null
  /** The `login_hint`, when it names another user. */
  readonly hint: string | null
}

function SelectAccountPage({ frame, client, handle, name, username, hint }: SelectAccountPageProps) {
  const { t } = frame
  const app = shownApp(client, frame.issuer)
  return (
    <Screen frame={frame} title={t('selectAccount.title', { name: app.name })}>
      <PageHead app={app} heading={t('selectAccount.heading')}>
        <p className="small muted">{t('selectAccount.lead', { app: app.name })}</p>
      </PageHead>
      {hint !== null && (
        <Notice kind="plain">
          {t('selectAccount.askedFor', { name, app: app.name, hint: displayText(hint, 60) })}
        </Notice>
      )}
      <AccountChoice t={t} pending={handle} name={name} username={username} />
    </Screen>
  )
}
