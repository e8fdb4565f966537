/** The page where users change or add their email address (AU-15). */
import { TextField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { LimitedNotice, Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { browserCookie } from '#lib/http/cookies.ts'
import { type FormFields, readForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
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

const problemTexts = {
  invalid: 'emailChange.invalid',
  same: 'emailChange.same',
} as const satisfies Record<string, MessageKey>

type Problem = { readonly kind: keyof typeof problemTexts | 'limited'; readonly wait: string | undefined }

type ShownEmail = {
  readonly account: OwnEmail
  readonly subject: string
  readonly problem: Problem | null
}

async function readEmail(page: PageExchange): Promise<PageContent<ShownEmail>> {
  const { query, services } = page
  const found = await freshSession(page, path)
  if ('elsewhere' in found) return found
  const { subject } = found.session
  const account = await ownEmail(services.ports, found.session)
  if (account === null) return { elsewhere: seeOther('/account') }
  const problem = problemOf(query)
  return {
    shown: { account, subject, problem },
    frame: { offersSignOut: true },
    status: pageStatusOf(problem),
  }
}

function problemOf({ error, wait }: PageExchange['query']): Problem | null {
  return error === 'invalid' || error === 'same' || error === 'limited' ? { kind: error, wait } : null
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
      {problem?.kind === 'limited' && <LimitedNotice t={t} wait={problem.wait} />}
      {problem !== null && problem.kind !== 'limited' && (
        <Notice kind="bad" id="problem">
          {t(problemTexts[problem.kind])}
        </Notice>
      )}
      {!isNew && (
        <p className="small">
          {t(isVerified ? 'emailChange.current' : 'emailChange.unverified', {
            address: displayText(address, 80),
          })}
        </p>
      )}
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <TextField
          id="email"
          label={t('emailChange.field')}
          isWrong={problem !== null && problem.kind !== 'limited'}
          input={{
            type: 'email',
            dir: 'ltr',
            maxLength: 254,
            autoComplete: 'email',
            enterKeyHint: 'send',
            ...(isVerified || address === null ? {} : { defaultValue: address }),
          }}
        />
        <SubmitButton label={t('emailChange.submit')} busy={t('recovery.busy')} />
      </form>
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
    case 'limited': {
      const wait = String(Math.ceil(outcome.retryAfterSeconds))
      return seeOther(
        withQuery(path, [
          ['error', 'limited'],
          ['wait', wait],
        ]),
      )
    }
    case 'requested':
      return seeOther(`${path}/sent?page=${outcome.page}`, [
        browserCookie(outcome.browser, services.config.issuer),
      ])
    default:
      return seeOther(`${path}?error=${outcome.kind}`)
  }
}
