/** `prompt=select_account`, or the app named somebody else: go on as who you are, or as another. */
import { redirect } from 'next/navigation'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
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
import { displayName, displayText } from '#lib/protocol/display-text.ts'
import { AccountChoice } from './account-choice.tsx'

export default async function SelectAccountPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const { services, cookies } = visit
  const handle = pendingHandle(query)
  const pending = await services.findPending(handle, cookies.browser)
  if (pending === null || handle === null) leaveToResume(query)
  const session = await services.currentSession(cookies.session)
  if (session === null) redirect(`/login?pending=${handle}`)

  const frame = frameOf(visit, {
    path: '/select-account',
    query: { pending: handle },
    uiLocales: pending.uiLocales,
    offersSignOut: true,
  })
  const { t } = frame
  const { client, loginHint } = pending
  const app = shownApp(client, frame.issuer)
  const name = displayName(session.name, session.subject)
  const isAnotherAskedFor =
    loginHint !== null && (await services.loginHintDiffers({ loginHint, client, session }))
  return (
    <Screen frame={frame} title={t('selectAccount.title', { name: app.name })}>
      <PageHead app={app} heading={t('selectAccount.heading')}>
        <p className="small muted">{t('selectAccount.lead', { app: app.name })}</p>
      </PageHead>
      {isAnotherAskedFor && (
        <Notice kind="plain">
          {t('selectAccount.askedFor', { name, app: app.name, hint: displayText(loginHint, 60) })}
        </Notice>
      )}
      <AccountChoice t={t} pending={handle} name={name} username={await services.usernameOf(session)} />
    </Screen>
  )
}
