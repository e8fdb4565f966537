/** The page after a mail with a code was requested: the user types the code here, or opens the link of the mail. */
import type { ReactNode } from 'react'
import { mailProof } from '#lib/config/limits.ts'
import { withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { CodeOutcome, WaitingProof } from '#lib/identity/mail-proofs.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { MailPageHandle } from '#lib/protocol/ids.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { emailPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { TextField } from './fields.tsx'
import type { PageExchange } from './hosted-route.ts'
import { LimitedNotice, Notice } from './notice.tsx'
import { Sentence } from './sentence.tsx'
import { SubmitButton } from './submit-button.tsx'

type CodePage = {
  readonly path: string
  /** The page on which the user requests the mail. */
  readonly start: string
  /** The sentence with the placeholder `address`: where the mail was sent. */
  readonly sent: MessageKey
  /** The sentence after a further mail. */
  readonly resent: MessageKey
  /** The label of the button below the code. */
  readonly submit: MessageKey
}

/** The pages that wait for a mailed code, by the purpose of the mail. */
export const codePages = {
  recovery: {
    path: '/login/forgot/sent',
    start: '/login/forgot',
    sent: 'recovery.sent',
    resent: 'recovery.resent',
    submit: 'recovery.codeSubmit',
  },
  registration: {
    path: '/login/register/sent',
    start: '/login/register',
    sent: 'registration.sent',
    resent: 'registration.resent',
    submit: 'recovery.codeSubmit',
  },
  emailChange: {
    path: `${emailPath}/sent`,
    start: emailPath,
    sent: 'emailChange.sent',
    resent: 'registration.resent',
    submit: 'emailChange.confirm',
  },
} as const satisfies Record<string, CodePage>

const problemTexts = {
  wrong: 'recovery.codeWrong',
  missing: 'recovery.codeMissing',
} as const satisfies Record<string, MessageKey>

export type CodePageState = {
  readonly page: MailPageHandle
  readonly problem: keyof typeof problemTexts | null
  readonly limited: { readonly kind: 'limited'; readonly wait: string | undefined } | null
  /** The answer to the button for a further mail. */
  readonly news: 'sent' | 'wait' | null
  /** Whether mails are files of this machine, as in the demo. */
  readonly isKept: boolean
}

/** Reads from the query what the page reports. */
export function codePageState(
  { query, services }: Pick<PageExchange, 'query' | 'services'>,
  page: MailPageHandle,
): CodePageState {
  const { error, done, wait } = query
  return {
    page,
    problem: error === 'wrong' || error === 'missing' ? error : null,
    limited: error === 'limited' ? { kind: 'limited', wait } : null,
    news: done === 'sent' || done === 'wait' ? done : null,
    isKept: services.ports.mail.kind === 'folder',
  }
}

/** Redirects after a code that was missing or not accepted. */
export function refuseCode(
  { path, start }: CodePage,
  kind: 'missing' | Exclude<CodeOutcome['kind'], 'right'>,
  query: ReadonlyArray<readonly [name: string, value: string | null]>,
): Reply {
  if (kind === 'expired') return seeOther(start)
  return seeOther(withQuery(path, [...query, ['error', kind === 'used_up' ? null : kind]]))
}

type MailCodePageProps = CodePageState & {
  readonly frame: Frame
  readonly texts: CodePage
  readonly waiting: WaitingProof
  /** The address to which the mail was sent, or the user name that was entered instead. */
  readonly address: string
  /** The hidden fields of the form. */
  readonly fields?: ReactNode
  /** The links and forms below the code. */
  readonly children: ReactNode
}

export function MailCodePage(props: MailCodePageProps) {
  const { frame, texts, waiting, address, problem, limited, children } = props
  const { t, siteName } = frame
  const isProblem = problem !== null || limited !== null || waiting.isUsedUp
  const minutes = mailProof.lifetimeSeconds / 60
  return (
    <Screen frame={frame} title={t('recovery.sentTitle', { name: siteName })} isProblem={isProblem}>
      <PageHead app={null} heading={t('recovery.sentHeading')}>
        <p className="small muted">
          <Sentence t={t} text={texts.sent} placeholder="address">
            <bdi>{displayText(address, 80)}</bdi>
          </Sentence>{' '}
          {t('recovery.lasts', { minutes, codeMinutes: mailProof.codeSeconds / 60 })}
        </p>
      </PageHead>
      <CodeNotices {...props} />
      {!waiting.isUsedUp && <CodeForm {...props} />}
      {children}
    </Screen>
  )
}

function CodeNotices({ frame: { t }, texts, waiting, problem, limited, news }: MailCodePageProps) {
  const { isUsedUp, waitSeconds } = waiting
  return (
    <>
      {limited !== null && <LimitedNotice t={t} wait={limited.wait} />}
      {(problem !== null || isUsedUp) && (
        <Notice kind="bad" id="problem">
          {t(isUsedUp || problem === null ? 'recovery.codeUsedUp' : problemTexts[problem])}
        </Notice>
      )}
      {news === 'sent' && <Notice kind="good">{t(texts.resent)}</Notice>}
      {news === 'wait' && (
        <Notice kind="plain">{t('recovery.resendLater', { seconds: Math.max(waitSeconds, 1) })}</Notice>
      )}
    </>
  )
}

function CodeForm({ frame: { t }, texts, page, problem, fields }: MailCodePageProps) {
  return (
    <form className="form" method="post" action={browserAddress(texts.path)}>
      <input type="hidden" name="page" value={page} />
      {fields}
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
      <SubmitButton label={t(texts.submit)} busy={t('recovery.codeBusy')} />
    </form>
  )
}

type ResendFormProps = Pick<CodePageState, 'isKept'> & {
  readonly frame: Frame
  readonly action: string
  /** The hidden fields of the form. */
  readonly children: ReactNode
}

/** The form for a further mail. */
export function ResendForm({ frame, isKept, action, children }: ResendFormProps) {
  return (
    <form className="stack center" method="post" action={browserAddress(action)}>
      <NoMailHint frame={frame} isKept={isKept} />
      {children}
      <button type="submit" className="btn wide">
        {frame.t('recovery.resend')}
      </button>
    </form>
  )
}

/** Advice for a user who finds no mail. */
function NoMailHint({ frame: { t }, isKept }: Pick<CodePageState, 'isKept'> & { readonly frame: Frame }) {
  return (
    <p className="small muted center">
      {isKept ? (
        <a href={browserAddress('/playground/mail')}>{t('recovery.keptMail')}</a>
      ) : (
        t('recovery.noMail')
      )}
    </p>
  )
}
