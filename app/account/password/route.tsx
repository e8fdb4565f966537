/** The form with which users change their password. */

import { PasswordField } from '#app/_ui/fields.tsx'
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
  faultsAt,
} from '#app/_ui/new-password.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { knownBrowserCookie, sessionCookie } from '#lib/http/cookies.ts'
import { type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { mayChangePassword } from '#lib/identity/fresh-sign-in.ts'
import { changeOwnPassword, passwordOwner } from '#lib/identity/own-password.ts'
import { shortestPassword } from '#lib/identity/password-choice.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/account/password',
  pendingPage(readOwner, PasswordPage),
  formHandler(changePassword, readPasswordForm),
)

const path = '/account/password'

async function readOwner(page: PageExchange): Promise<PageContent<ShownForm>> {
  const { query, services } = page
  const found = await freshSession(page, path, mayChangePassword)
  if ('elsewhere' in found) return found
  const { session } = found
  const owner = await passwordOwner(services.ports, session)
  if (owner === null) return { elsewhere: seeOther('/account') }
  const problem = choiceProblemOf(query)
  const minimum = await shortestPassword(services.ports, owner)
  const { username } = owner
  const shown = { problem, minimum, username, subject: session.subject }
  return { shown, frame: { offersSignOut: true }, status: pageStatusOf(problem) }
}

type ShownForm = {
  readonly problem: ReturnType<typeof choiceProblemOf>
  readonly minimum: number
  readonly username: string
  readonly subject: string
}

function PasswordPage({ frame, username, subject, ...form }: ShownForm & { readonly frame: Frame }) {
  const { problem } = form
  const { t, siteName } = frame
  const title = t('password.changeTitle', { name: siteName })
  return (
    <Screen frame={frame} title={title} isProblem={problem !== null} choosesPassword>
      <PageHead app={null} heading={t('password.changeHeading')}>
        <p className="small muted">{t('password.changeLead')}</p>
      </PageHead>
      <ChoiceProblemNotice t={t} {...form} />
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <PasswordField
          t={t}
          id="current"
          label={t('password.current')}
          autoComplete="current-password"
          error={faultsAt('current', { t, ...form })}
        />
        <ChosenPassword t={t} {...form} username={username} />
        <SubmitButton label={t('password.change')} busy={t('password.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function changePassword(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const { current = '', password = '', again = '' } = form
  const found = await freshSession(posted, path, mayChangePassword)
  if ('elsewhere' in found) return found.elsewhere
  const { sessions: previous, knownBrowser } = cookies
  const { session } = found
  const entered = { session, current, password, again, previous, knownBrowser }
  const outcome = await changeOwnPassword(services.ports, entered, context)
  if (outcome.kind === 'no_password') return seeOther('/account')
  if (outcome.kind === 'unfit') return seeOther(`${path}?${choiceProblemQuery(outcome)}`)
  const { issuer } = services.config
  const known = outcome.knownBrowser === null ? [] : [knownBrowserCookie(outcome.knownBrowser, issuer)]
  return seeOther('/account?done=password', [sessionCookie(outcome, issuer), ...known])
}
