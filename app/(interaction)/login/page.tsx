/** Sign-in: for a waiting app, or without one on the way to the account page. */
import { Screen } from '#app/_ui/screen.tsx'
import {
  frameOf,
  keep,
  leaveToResume,
  type PageInput,
  pendingHandle,
  readQuery,
  readVisit,
} from '#app/_ui/visit.ts'
import { readAttemptedUsername, readAttemptMessage } from '#lib/http/attempted-username.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { BackToApp } from './back-to-app.tsx'
import { LoginForm } from './login-form.tsx'
import { LoginHead } from './login-head.tsx'
import { LoginProblem, problemOf } from './login-problem.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { readSignIn } from './sign-in-view.ts'

export default async function LoginPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const view = await readSignIn(visit, query)
  if (view === null) leaveToResume(query)

  const frame = frameOf(visit, { path: '/login', query: keep(query, 'pending'), uiLocales: view.uiLocales })
  const { services, cookieHeader } = visit
  const attempt = [services.sealing, cookieHeader, services.config.issuer] as const
  const problem = problemOf(query, readAttemptMessage(...attempt))
  const pending = pendingHandle(query)
  const name =
    view.client === null ? frame.siteName : displayName(view.client.clientName, view.client.clientId)
  return (
    <Screen frame={frame} title={frame.t('login.title', { name })} isProblem={problem !== null}>
      <LoginHead frame={frame} client={view.client} />
      {problem !== null && (
        <LoginProblem t={frame.t} problem={problem} allowsPassword={view.allowsPassword} />
      )}
      {view.allowsPassword && (
        <LoginForm
          t={frame.t}
          pending={pending}
          username={readAttemptedUsername(...attempt) ?? view.loginHint ?? ''}
          problem={problem?.kind ?? null}
        />
      )}
      <ProviderButtons frame={frame} view={view} pending={pending} />
      <BackToApp t={frame.t} client={view.client} />
    </Screen>
  )
}
