/** `prompt=select_account`: go on as who you are, or as somebody else. */
import { redirect } from 'next/navigation'
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
import { displayName } from '#lib/protocol/display-text.ts'
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
  const app = shownApp(pending.client, frame.issuer)
  return (
    <Screen frame={frame} title={t('selectAccount.title', { name: app.name })}>
      <PageHead app={app} heading={t('selectAccount.heading')}>
        <p className="small muted">{t('selectAccount.lead', { app: app.name })}</p>
      </PageHead>
      <AccountChoice
        t={t}
        pending={handle}
        name={displayName(session.name, session.subject)}
        username={await services.usernameOf(session)}
      />
    </Screen>
  )
}
