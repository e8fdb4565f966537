/** The page where users change or add their email address (AU-15). */
import {
  EmailForm,
  type EmailProblem,
  EmailProblemNotice,
  emailProblemOf,
  emailRefused,
} from '#app/_ui/email-form.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { browserCookie } from '#lib/http/cookies.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import {
  type OwnEmail,
  ownEmail,
  requestEmailChange,
} from '#lib/identity/email-change/request-email-change.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { emailPath as path } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readEmail, EmailPage),
  formHandler(askForMail, readForm),
)

type ShownEmail = {
  readonly account: OwnEmail
  readonly subject: string
  readonly problem: EmailProblem | null
}

async function readEmail(page: PageExchange): Promise<PageContent<ShownEmail>> {
  const { query, services } = page
  const found = await freshSession(page, path)
  if ('elsewhere' in found) return found
  const { subject } = found.session
  const account = await ownEmail(services.ports, found.session)
  if (account === null) return { elsewhere: seeOther('/account') }
  const problem = emailProblemOf(query)
  return {
    shown: { account, subject, problem },
    frame: { offersSignOut: true },
    status: pageStatusOf(problem),
  }
}

function EmailPage({ frame, account, subject, problem }: ShownEmail & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { address, isVerified } = account
  const isNew = address === null
  return (
    <Screen frame={frame} title={t('emailChange.title', { name: siteName })} isProblem={problem !== null}>
      <PageHead app={null} heading={t(isNew ? 'emailChange.addHeading' : 'emailChange.heading')}>
        <p className="small muted">{t('emailChange.lead')}</p>
      </PageHead>
      <EmailProblemNotice frame={frame} problem={problem} />
      {!isNew && (
        <p className="small">
          {t(isVerified ? 'emailChange.current' : 'emailChange.unverified', {
            address: displayText(address, 80),
          })}
        </p>
      )}
      <EmailForm
        frame={frame}
        action={path}
        label="emailChange.field"
        problem={problem}
        address={isVerified ? null : address}
      >
        <input type="hidden" name="user" value={subject} />
      </EmailForm>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function askForMail(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const found = await freshSession(posted, path)
  if ('elsewhere' in found) return found.elsewhere
  const entered = { session: found.session, typed: form.email ?? '', browser: cookies.browser }
  const outcome = await requestEmailChange(services.ports, entered, context)
  switch (outcome.kind) {
    case 'off':
      return seeOther('/account')
    case 'requested':
      return seeOther(`${path}/sent?page=${outcome.page}`, [
        browserCookie(outcome.browser, services.config.issuer),
      ])
    default:
      return emailRefused(path, outcome)
  }
}
