/** The page after the registration form: the user types the code of the mail here, or opens its link anywhere. */
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
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { mailProof } from '#lib/config/limits.ts'
import { browserCookie } from '#lib/http/cookies.ts'
import { keep } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import {
  redeemRegistrationCode,
  resendRegistration,
  type WaitingRegistration,
  waitingRegistration,
} from '#lib/identity/registration/confirm-registration.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { type MailPageHandle, parseHandle } from '#lib/protocol/ids.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { withCarried } from '../../sign-in-step.ts'
import { answerConfirmation } from '../answer-confirmation.ts'

const path = '/login/register/sent'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readSent, SentPage),
  formHandler(answerForm, readForm),
)

const problemTexts = {
  wrong: 'recovery.codeWrong',
  missing: 'recovery.codeMissing',
} as const satisfies Record<string, MessageKey>

/** The answers to the button that sends a new mail. */
const newsTexts = {
  sent: 'registration.resent',
  wait: 'recovery.resendLater',
} as const satisfies Record<string, MessageKey>

type ShownSent = {
  readonly waiting: WaitingRegistration
  readonly page: MailPageHandle
  readonly problem: keyof typeof problemTexts | null
  readonly limited: { readonly kind: 'limited'; readonly wait: string | undefined } | null
  readonly news: keyof typeof newsTexts | null
  /** Whether mails are files of this machine, as in the demo. */
  readonly isKept: boolean
}

async function readSent({ query, cookies, services }: PageExchange): Promise<PageContent<ShownSent>> {
  const page = parseHandle('mailPage', query.page)
  const waiting = await waitingRegistration(services.ports, { page, browser: cookies.browser })
  if (waiting === null || page === null) return { elsewhere: seeOther('/login/register') }
  const problem = query.error === 'wrong' || query.error === 'missing' ? query.error : null
  const limited = query.error === 'limited' ? ({ kind: 'limited', wait: query.wait } as const) : null
  const news = query.done === 'sent' || query.done === 'wait' ? query.done : null
  const isKept = services.ports.mail.kind === 'folder'
  return {
    shown: { waiting, page, problem, limited, news, isKept },
    frame: { query: keep(query, 'page') },
    status: pageStatusOf(limited),
  }
}

function SentPage({ frame, ...shown }: ShownSent & { readonly frame: Frame }) {
  const { waiting, page, problem, limited, news } = shown
  const { t, siteName } = frame
  const { email, pending, back, isUsedUp, waitSeconds } = waiting
  const isProblem = problem !== null || isUsedUp || limited !== null
  return (
    <Screen frame={frame} title={t('registration.sentTitle', { name: siteName })} isProblem={isProblem}>
      <PageHead app={null} heading={t('registration.sentHeading')}>
        <p className="small muted">
          <Sentence t={t} text="registration.sent" placeholder="email">
            <bdi>{displayText(email, 80)}</bdi>
          </Sentence>{' '}
          {t('recovery.lasts', {
            minutes: mailProof.lifetimeSeconds / 60,
            codeMinutes: mailProof.codeSeconds / 60,
          })}
        </p>
      </PageHead>
      {limited !== null && <LimitedNotice t={t} wait={limited.wait} />}
      {(problem !== null || isUsedUp) && (
        <Notice kind="bad" id="problem">
          {t(isUsedUp || problem === null ? 'recovery.codeUsedUp' : problemTexts[problem])}
        </Notice>
      )}
      {news !== null && (
        <Notice kind={news === 'sent' ? 'good' : 'plain'}>
          {t(newsTexts[news], { seconds: Math.max(waitSeconds, 1) })}
        </Notice>
      )}
      {!isUsedUp && <CodeForm frame={frame} page={page} isWrong={problem !== null} />}
      <ResendForm frame={frame} {...shown} />
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login/register', { pending, back }))}>
          {t('registration.other')}
        </a>
      </p>
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login', { pending, back }))}>{t('recovery.back')}</a>
      </p>
    </Screen>
  )
}

type CodeFormProps = { readonly frame: Frame; readonly page: MailPageHandle; readonly isWrong: boolean }

function CodeForm({ frame: { t }, page, isWrong }: CodeFormProps) {
  return (
    <form className="form" method="post" action={browserAddress(path)}>
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="passkeys" data-creates-passkeys />
      <TextField
        id="code"
        label={t('recovery.code')}
        hint={t('registration.codeHint')}
        isWrong={isWrong}
        input={{
          type: 'text',
          dir: 'ltr',
          maxLength: 40,
          autoComplete: 'one-time-code',
          autoCapitalize: 'characters',
          enterKeyHint: 'go',
        }}
      />
      <SubmitButton label={t('recovery.codeSubmit')} busy={t('recovery.codeBusy')} />
    </form>
  )
}

function ResendForm({ frame: { t }, page, isKept }: ShownSent & { readonly frame: Frame }) {
  return (
    <form className="stack center" method="post" action={browserAddress(path)}>
      {isKept ? (
        <p className="small">
          <a href={browserAddress('/playground/mail')}>{t('recovery.keptMail')}</a>
        </p>
      ) : (
        <p className="small muted">{t('recovery.noMail')}</p>
      )}
      <input type="hidden" name="page" value={page} />
      <button type="submit" className="btn wide" name="action" value="resend">
        {t('recovery.resend')}
      </button>
    </form>
  )
}

async function answerForm(posted: FormExchange<FormFields>): Promise<Reply> {
  const page = parseHandle('mailPage', posted.form.page)
  return posted.form.action === 'resend' ? sendAgain(posted, page) : takeCode(posted, page)
}

async function sendAgain(
  { cookies, context, services }: FormExchange<FormFields>,
  page: MailPageHandle | null,
): Promise<Reply> {
  const asked = { page, browser: cookies.browser }
  const outcome = await resendRegistration(services.pendingPorts(), asked, context)
  const here = `${path}?page=${page ?? ''}`
  switch (outcome.kind) {
    case 'expired':
      return seeOther('/login/register')
    case 'wait':
      return seeOther(`${here}&done=wait`)
    case 'limited':
      return seeOther(`${here}&error=limited&wait=${Math.ceil(outcome.retryAfterSeconds)}`)
    case 'requested': {
      const cookie = browserCookie(outcome.browser, services.config.issuer)
      return seeOther(`${path}?page=${outcome.page}&done=sent`, [cookie])
    }
  }
}

async function takeCode(posted: FormExchange<FormFields>, page: MailPageHandle | null): Promise<Reply> {
  const { form, cookies, services } = posted
  const { code = '' } = form
  const here = `${path}?page=${page ?? ''}`
  if (code.trim() === '') return seeOther(`${here}&error=missing`)
  const outcome = await redeemRegistrationCode(services.ports, { page, browser: cookies.browser, code })
  switch (outcome.kind) {
    case 'right':
      return answerConfirmation(posted, { link: outcome.link, password: '' })
    case 'wrong':
      return seeOther(`${here}&error=wrong`)
    case 'used_up':
      return seeOther(here)
    case 'expired':
      return seeOther('/login/register')
  }
}
