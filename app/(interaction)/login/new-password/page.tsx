/** Between a password that was handed out and everything it could open. Nobody is signed in yet. */
import { redirect } from 'next/navigation'
import { ChoiceProblemNotice, ChosenPassword, choiceProblemOf } from '#app/_ui/chosen-password.tsx'
import { PageHead } from '#app/_ui/page-head.tsx'
import { Screen } from '#app/_ui/screen.tsx'
import { shownApp } from '#app/_ui/shown-app.ts'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { frameOf, keep, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export default async function NewPasswordPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const { services, cookies } = visit
  const partial = parseHandle('partial', query.partial)
  const proof = { partial, browser: cookies.browser, findInteraction: services.findPending }
  const view = await services.newPasswordView(proof)
  if (view === null) redirect(`/login/return?partial=${encodeURIComponent(query.partial ?? '')}`)

  const { client, username, uiLocales } = view
  const frame = frameOf(visit, { path: '/login/new-password', query: keep(query, 'partial'), uiLocales })
  const { t, siteName, issuer } = frame
  const problem = choiceProblemOf(query)
  const name = client === null ? siteName : displayName(client.clientName, client.clientId)
  return (
    <Screen frame={frame} title={t('password.title', { name })} isProblem={problem !== null}>
      <PageHead app={client && shownApp(client, issuer)} heading={t('password.heading')}>
        <p className="small muted">{t('password.lead', { username: displayName(username, '') })}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} problem={problem} />
      <form className="form" method="post" action="/login/new-password/submit">
        <input type="hidden" name="partial" value={query.partial} />
        <ChosenPassword t={t} problem={problem} username={username} />
        <SubmitButton label={t('password.submit')} busy={t('password.busy')} />
      </form>
    </Screen>
  )
}
