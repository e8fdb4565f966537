/** Sign-in: for a waiting app, or without one on the way to the account page. */
import { pageStatusOf } from '#app/_ui/limited-notice.tsx'
import { cookieNames, readCookie } from '#lib/http/cookies.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageQuery, pageReply } from '#lib/http/page-frame.ts'
import { readAttempt } from '#lib/http/step-cookies.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { services } from '#lib/server/services.ts'
import { resumeReply } from '../pending-page.ts'
import { carriedFields } from './addresses.ts'
import { AlreadySignedIn } from './already-signed-in.tsx'
import { BackToApp } from './back-to-app.tsx'
import { LoginForm } from './login-form.tsx'
import { LoginHead } from './login-head.tsx'
import { LoginProblem, type Problem, problemOf } from './login-problem.tsx'
import { ProviderButtons, UsualProvider } from './provider-buttons.tsx'
import { isSignedInFor, readSignIn, type SignInView, selectAccountReply } from './sign-in-view.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login',
  refuse: refuseWithPage,
  GET: async exchange => {
    const { request, cookies, services: s } = exchange
    const query = pageQuery(request)
    const view = await readSignIn(exchange, query)
    if (view === null) return resumeReply(query)
    const session = await s.currentSession(cookies.session)
    if (await isSignedInFor(exchange, query, session)) return selectAccountReply(query)

    const { carried, client, uiLocales } = view
    const offersSignOut = session !== null
    const frame = pageFrame(exchange, {
      query: Object.fromEntries(carriedFields(carried)),
      uiLocales,
      offersSignOut,
    })
    const attempt = readAttempt(s.sealing, request.headers.get('cookie'), s.config.issuer)
    const problem = problemOf(query, attempt?.message ?? null)
    const isVisit = client === null && problem === null && carried.account === null
    if (isVisit && session !== null) {
      return pageReply(
        frame,
        <AlreadySignedIn {...session} frame={frame} next={carried.back ?? '/account'} />,
      )
    }
    const isAgain = view.isAgain && session !== null
    const known = isAgain ? await s.usernameOf(session) : null
    const username = attempt?.username ?? view.loginHint ?? known ?? ''
    const usual = isAgain ? session.idp : null
    const latest = readCookie(request.headers.get('cookie'), cookieNames(s.config.issuer).provider)
    const page = { frame, view, problem, username, isAgain, usual, latest }
    return pageReply(frame, <LoginPage {...page} />, pageStatusOf(problem))
  },
})

type LoginPageProps = {
  readonly frame: Frame
  readonly view: SignInView
  readonly problem: Problem | null
  /** What the user name field starts with. */
  readonly username: string
  readonly isAgain: boolean
  /** The provider that the signed-in user came from, and the one last used in this browser. */
  readonly usual: string | null
  readonly latest: string | null
}

function LoginPage({ frame, view, problem, username, isAgain, usual, latest }: LoginPageProps) {
  const { t } = frame
  const { carried, client, providers, allowsPassword } = view
  const name = client === null ? frame.siteName : displayName(client.clientName, client.clientId)
  return (
    <Screen
      frame={frame}
      title={t('login.title', { name })}
      isProblem={problem !== null}
      asksAgain={carried.pending !== null}
    >
      <LoginHead frame={frame} client={client} isAgain={isAgain} />
      {problem !== null && <LoginProblem {...{ t, problem, allowsPassword, providers }} />}
      <UsualProvider frame={frame} view={view} usual={usual} />
      {allowsPassword && (
        <LoginForm t={t} carried={carried} username={username} problem={problem?.kind ?? null} />
      )}
      <ProviderButtons {...{ frame, view, usual, latest }} />
      {frame.help != null && (
        <p className="small muted center">
          <a href={frame.help}>{t('login.getHelp')}</a>
        </p>
      )}
      <BackToApp t={t} client={client} pending={carried.pending} />
    </Screen>
  )
}
