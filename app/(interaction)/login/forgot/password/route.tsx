/** The page that a mailed link opens: the user chooses a new password. Only its form uses up the link. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import {
  ChoiceProblemNotice,
  ChosenPassword,
  choiceProblemOf,
  choiceProblemQuery,
} from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { knownBrowserCookie } from '#lib/http/cookies.ts'
import { keep } from '#lib/http/page-frame.ts'
import { encodeForm, type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { attemptCookie } from '#lib/http/step-cookies.ts'
import { chooseRecoveredPassword } from '#lib/identity/password-recovery/choose-recovered-password.ts'
import { type RecoveryView, recoveryView } from '#lib/identity/password-recovery/recovery-link.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedFields } from '../../sign-in-step.ts'
import { ExpiredLink } from '../expired-link.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/forgot/password',
  pendingPage(readLink, LinkPage),
  formHandler(savePassword, readPasswordForm),
)

type ShownLink = {
  /** `null`: the link does not work. */
  readonly view: RecoveryView | null
  readonly link: string
  readonly problem: ReturnType<typeof choiceProblemOf>
}

async function readLink({ query, cookies, services }: PageExchange): Promise<PageContent<ShownLink>> {
  const link = parseHandle('mailLink', query.link)
  const view = await recoveryView(services.pendingPorts(), { link, browser: cookies.browser })
  const problem = choiceProblemOf(query)
  return {
    shown: { view, link: link ?? '', problem },
    frame: { query: keep(query, 'link'), uiLocales: view?.uiLocales ?? [] },
    status: view === null ? { status: 410 } : pageStatusOf(problem),
  }
}

function LinkPage({ frame, view, link, problem }: ShownLink & { readonly frame: Frame }) {
  if (view === null) return <ExpiredLink frame={frame} />
  const { t, siteName, issuer } = frame
  const { client, username, minimum } = view
  const title = t('recovery.newTitle', { name: appOrSite(client, siteName) })
  return (
    <Screen frame={frame} title={title} isProblem={problem !== null} choosesPassword>
      <PageHead app={client && shownApp(client, issuer)} heading={t('recovery.newHeading')}>
        <p className="small muted">{t('recovery.newLead', { username: displayName(username, '') })}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} problem={problem} minimum={minimum} />
      <form className="form" method="post" action={browserAddress('/login/forgot/password')}>
        <input type="hidden" name="link" value={link} />
        <ChosenPassword t={t} problem={problem} minimum={minimum} username={username} />
        <p className="small muted">{t('recovery.newHint')}</p>
        <SubmitButton label={t('recovery.newSubmit')} busy={t('password.busy')} />
      </form>
    </Screen>
  )
}

async function savePassword({ form, cookies, context, services }: FormExchange<FormFields>): Promise<Reply> {
  const { password = '', again = '' } = form
  const link = parseHandle('mailLink', form.link)
  const { browser, knownBrowser } = cookies
  const entered = { link, browser, password, again, knownBrowser }
  const outcome = await chooseRecoveredPassword(services.pendingPorts(), entered, context)
  const here = `/login/forgot/password?link=${link ?? ''}`
  if (outcome.kind === 'expired') return seeOther(here)
  if (outcome.kind === 'unfit') return seeOther(`${here}&${choiceProblemQuery(outcome)}`)
  const { username, continues, knownBrowser: known } = outcome
  const { issuer } = services.config
  const { pending = null, back = null } = continues ?? {}
  const done = continues === null ? 'password_elsewhere' : 'password'
  return seeOther(`/login?${encodeForm([...carriedFields({ pending, back }), ['done', done]])}`, [
    attemptCookie(services.sealing, { username, message: null }, { pending, issuer }),
    knownBrowserCookie(known, issuer),
  ])
}
