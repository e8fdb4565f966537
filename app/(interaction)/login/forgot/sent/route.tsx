/** The page after a mail was asked for: the user types its code here, or opens its link anywhere. */
import { TextField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { mailProof } from '#lib/config/limits.ts'
import { keep } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import {
  redeemCode,
  type WaitingRecovery,
  waitingRecovery,
} from '#lib/identity/password-recovery/waiting-recovery.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CarriedFields } from '../../sign-in-parts.tsx'
import { withCarried } from '../../sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/forgot/sent',
  pendingPage(readSent, SentPage),
  formHandler(takeCode, readForm),
)

const problemTexts = {
  wrong: 'recovery.codeWrong',
  missing: 'recovery.codeMissing',
} as const satisfies Record<string, MessageKey>

/** The answers to the button that sends a new mail. */
const newsTexts = {
  sent: 'recovery.resent',
  wait: 'recovery.resendLater',
} as const satisfies Record<string, MessageKey>

type ShownSent = {
  readonly waiting: WaitingRecovery
  readonly page: string
  readonly problem: keyof typeof problemTexts | null
  readonly news: keyof typeof newsTexts | null
  /** Whether mails are files of this machine, as in the demo. */
  readonly isKept: boolean
}

async function readSent({ query, cookies, services }: PageExchange): Promise<PageContent<ShownSent>> {
  const page = parseHandle('mailPage', query.page)
  const waiting = await waitingRecovery(services.ports, { page, browser: cookies.browser })
  if (waiting === null || page === null) return { elsewhere: seeOther('/login/forgot') }
  const problem = query.error === 'wrong' || query.error === 'missing' ? query.error : null
  const news = query.done === 'sent' || query.done === 'wait' ? query.done : null
  const isKept = services.ports.mail.kind === 'folder'
  return { shown: { waiting, page, problem, news, isKept }, frame: { query: keep(query, 'page') } }
}

function SentPage({ frame, waiting, page, problem, news, isKept }: ShownSent & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { typed, pending, back, isUsedUp, waitSeconds } = waiting
  const carried = { pending, back }
  const minutes = mailProof.lifetimeSeconds / 60
  return (
    <Screen
      frame={frame}
      title={t('recovery.sentTitle', { name: siteName })}
      isProblem={problem !== null || isUsedUp}
    >
      <PageHead app={null} heading={t('recovery.sentHeading')}>
        <p className="small muted">
          <Sentence t={t} text="recovery.sent" placeholder="typed">
            <bdi>{displayText(typed, 80)}</bdi>
          </Sentence>{' '}
          {t('recovery.lasts', { minutes, codeMinutes: mailProof.codeSeconds / 60 })}
        </p>
      </PageHead>
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
      {!isUsedUp && (
        <form className="form" method="post" action={browserAddress('/login/forgot/sent')}>
          <input type="hidden" name="page" value={page} />
          <TextField
            id="code"
            label={t('recovery.code')}
            hint={t('recovery.codeHint')}
            isWrong={problem !== null}
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
      )}
      <form className="stack center" method="post" action={browserAddress('/login/forgot')}>
        {isKept ? (
          <p className="small">
            <a href={browserAddress('/playground/mail')}>{t('recovery.keptMail')}</a>
          </p>
        ) : (
          <p className="small muted">{t('recovery.noMail')}</p>
        )}
        <CarriedFields carried={carried} />
        <input type="hidden" name="username" value={typed} />
        <input type="hidden" name="earlier" value={page} />
        <button type="submit" className="btn wide">
          {t('recovery.resend')}
        </button>
      </form>
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login/forgot', carried))}>{t('recovery.other')}</a>
      </p>
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login', carried))}>{t('recovery.back')}</a>
      </p>
    </Screen>
  )
}

async function takeCode({ form, cookies, services }: FormExchange<FormFields>): Promise<Reply> {
  const page = parseHandle('mailPage', form.page)
  const { code = '' } = form
  const here = `/login/forgot/sent?page=${page ?? ''}`
  if (code.trim() === '') return seeOther(`${here}&error=missing`)
  const outcome = await redeemCode(services.ports, { page, browser: cookies.browser, code })
  switch (outcome.kind) {
    case 'right':
      return seeOther(`/login/forgot/password?link=${outcome.link}`)
    case 'wrong':
      return seeOther(`${here}&error=wrong`)
    case 'used_up':
      return seeOther(here)
    case 'expired':
      return seeOther('/login/forgot')
  }
}
