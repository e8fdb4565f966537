/** Sign-in: for a waiting app, or without one on the way to the account page. */
import { Screen } from '#app/_ui/screen.tsx'
import { frameOf, leaveToResume, type PageInput, readQuery, readVisit } from '#app/_ui/visit.ts'
import { readAttemptedUsername, readAttemptMessage } from '#lib/http/attempted-username.ts'
import { displayName } from '#lib/protocol/display-text.ts'
import { carriedFields } from './addresses.ts'
import { AlreadySignedIn } from './already-signed-in.tsx'
import { BackToApp } from './back-to-app.tsx'
import { LoginForm } from './login-form.tsx'
import { LoginHead } from './login-head.tsx'
import { LoginProblem, problemOf } from './login-problem.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { leaveIfSignedIn, readSignIn } from './sign-in-view.ts'

export default async function LoginPage(input: PageInput) {
  const query = await readQuery(input)
  const visit = await readVisit()
  const view = await readSignIn(visit, query)
  if (view === null) leaveToResume(query)
  await leaveIfSignedIn(visit, query)

  const { carried, client, providers, allowsPassword, uiLocales } = view
  const { services, cookies, cookieHeader } = visit
  const session = await services.currentSession(cookies.session)
  const frame = frameOf(visit, {
    path: '/login',
    query: Object.fromEntries(carriedFields(carried)),
    uiLocales,
    offersSignOut: session !== null,
  })
  const attempt = [services.sealing, cookieHeader, services.config.issuer] as const
  const problem = problemOf(query, readAttemptMessage(...attempt))
  if (client === null && problem === null && carried.account === null) {
    if (session !== null)
      return <AlreadySignedIn {...session} frame={frame} next={carried.back ?? '/account'} />
  }
  const isAgain = view.isAgain && session !== null
  const known = isAgain ? await services.usernameOf(session) : null
  const name = client === null ? frame.siteName : displayName(client.clientName, client.clientId)
  return (
    <Screen
      frame={frame}
      title={frame.t('login.title', { name })}
      isProblem={problem !== null}
      asksAgain={carried.pending !== null}
    >
      <LoginHead frame={frame} client={client} isAgain={isAgain} />
      {problem !== null && <LoginProblem {...{ problem, allowsPassword, providers }} t={frame.t} />}
      {allowsPassword && (
        <LoginForm
          t={frame.t}
          carried={carried}
          username={readAttemptedUsername(...attempt) ?? view.loginHint ?? known ?? ''}
          problem={problem?.kind ?? null}
        />
      )}
      <ProviderButtons frame={frame} view={view} />
      <BackToApp t={frame.t} client={client} pending={carried.pending} />
    </Screen>
  )
}
