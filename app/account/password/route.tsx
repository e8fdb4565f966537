/** The form with which users change their password. */

import { PasswordField } from '#app/_ui/fields.tsx'
import { type FormExchange, formHandler, hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import {
  ChoiceProblemNotice,
  ChosenPassword,
  choiceProblemOf,
  choiceProblemQuery,
} from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import { knownBrowserCookie, sessionCookie } from '#lib/http/cookies.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { changeOwnPassword, passwordOwner } from '#lib/identity/own-password.ts'
import { currentSession } from '#lib/identity/session.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/account/password',
  showPasswordForm,
  formHandler(changePassword, readPasswordForm),
)

async function showPasswordForm(page: PageExchange): Promise<Reply> {
  const { query, cookies, services } = page
  const session = await currentSession(services.ports, cookies.session)
  if (session === null) return seeOther(withCarried('/login', { pending: null, back: '/account/password' }))
  const owner = await passwordOwner(services.ports, session)
  if (owner === null) return seeOther('/account')

  const problem = choiceProblemOf(query)
  const frame = pageFrame(page, { offersSignOut: true })
  const { t, siteName } = frame
  const title = t('password.changeTitle', { name: siteName })
  const document = (
    <Screen frame={frame} title={title} isProblem={problem !== null}>
      <PageHead app={null} heading={t('password.changeHeading')}>
        <p className="small muted">{t('password.changeLead')}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} problem={problem} />
      <form className="form" method="post" action={browserAddress('/account/password')}>
        <PasswordField
          t={t}
          id="current"
          label={t('password.current')}
          autoComplete="current-password"
          isWrong={problem?.kind === 'wrong'}
        />
        <ChosenPassword t={t} problem={problem} username={owner.username} />
        <SubmitButton label={t('password.change')} busy={t('password.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
  return pageReply(frame, document, pageStatusOf(problem))
}

async function changePassword({
  form: { current = '', password = '', again = '' },
  cookies,
  context,
  services,
}: FormExchange<FormFields>): Promise<Reply> {
  const { session: previous, knownBrowser } = cookies
  const session = await currentSession(services.ports, previous)
  if (session === null || previous === null) return seeOther('/login?back=%2Faccount%2Fpassword')
  const entered = { session, current, password, again, previous, knownBrowser }
  const outcome = await changeOwnPassword(services.ports, entered, context)
  if (outcome.kind === 'no_password') return seeOther('/account')
  if (outcome.kind === 'unfit') return seeOther(`/account/password?${choiceProblemQuery(outcome)}`)
  const { issuer } = services.config
  const known = outcome.knownBrowser === null ? [] : [knownBrowserCookie(outcome.knownBrowser, issuer)]
  return seeOther('/account?done=password', [sessionCookie(outcome, issuer), ...known])
}
