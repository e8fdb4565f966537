/** The page after a mail to a new address: the user types its code here, or opens its link. */
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
import { CarriedFields } from '#app/(interaction)/login/sign-in-parts.tsx'
import { carriedFields } from '#app/(interaction)/login/sign-in-step.ts'
import { mailProof } from '#lib/config/limits.ts'
import { type FormFields, readForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import {
  confirmByCode,
  type WaitingEmailChange,
  waitingEmailChange,
} from '#lib/identity/email-change/confirm-email-change.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { emailPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ownSession } from '../../own-session.ts'

const path = `${emailPath}/sent`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readSent, SentPage),
  formHandler(takeCode, readForm),
)

const problemTexts = {
  wrong: 'recovery.codeWrong',
  missing: 'recovery.codeMissing',
} as const satisfies Record<string, MessageKey>

type ShownSent = {
  readonly waiting: WaitingEmailChange
  readonly page: string
  readonly subject: string
  readonly place: ReturnType<typeof placeOf>
  readonly problem: keyof typeof problemTexts | null
  /** Whether mails are files of this machine, as in the demo. */
  readonly isKept: boolean
}

/** Returns the parameters that lead to the app or page that waits, and its address; `null`: none waits. */
function placeOf({
  pending,
  back,
}: {
  readonly pending?: string | undefined
  readonly back?: string | undefined
}) {
  const carried = { pending: parseHandle('pending', pending), back: backPath(back) }
  const isAwaited = carried.pending !== null || carried.back !== null
  return { carried, next: isAwaited ? continuation(carried.pending, carried.back) : null }
}

async function readSent(exchange: PageExchange): Promise<PageContent<ShownSent>> {
  const { query, cookies, services } = exchange
  const found = await ownSession(exchange, { back: emailPath })
  if ('elsewhere' in found) return found
  const page = parseHandle('mailPage', query.page)
  const waiting = await waitingEmailChange(services.ports, { page, browser: cookies.browser })
  if (waiting === null || page === null) return { elsewhere: seeOther(emailPath) }
  const problem = query.error === 'wrong' || query.error === 'missing' ? query.error : null
  const isKept = services.ports.mail.kind === 'folder'
  const { subject } = found.session
  const place = placeOf(query)
  return {
    shown: { waiting, page, subject, place, problem, isKept },
    frame: { query: { page, ...Object.fromEntries(carriedFields(place.carried)) }, offersSignOut: true },
  }
}

function SentPage({
  frame,
  waiting,
  page,
  subject,
  place,
  problem,
  isKept,
}: ShownSent & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const { address, isUsedUp } = waiting
  const minutes = mailProof.lifetimeSeconds / 60
  return (
    <Screen
      frame={frame}
      title={t('recovery.sentTitle', { name: siteName })}
      isProblem={problem !== null || isUsedUp}
    >
      <PageHead app={null} heading={t('recovery.sentHeading')}>
        <p className="small muted">
          <Sentence t={t} text="emailChange.sent" placeholder="address">
            <bdi>{displayText(address, 80)}</bdi>
          </Sentence>{' '}
          {t('recovery.lasts', { minutes, codeMinutes: mailProof.codeSeconds / 60 })}
        </p>
      </PageHead>
      {(problem !== null || isUsedUp) && (
        <Notice kind="bad" id="problem">
          {t(isUsedUp || problem === null ? 'recovery.codeUsedUp' : problemTexts[problem])}
        </Notice>
      )}
      {!isUsedUp && (
        <form className="form" method="post" action={browserAddress(path)}>
          <input type="hidden" name="user" value={subject} />
          <input type="hidden" name="page" value={page} />
          <CarriedFields carried={place.carried} />
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
          <SubmitButton label={t('emailChange.confirm')} busy={t('recovery.codeBusy')} />
        </form>
      )}
      <p className="small muted center">
        {isKept ? (
          <a href={browserAddress('/playground/mail')}>{t('recovery.keptMail')}</a>
        ) : (
          t('recovery.noMail')
        )}
      </p>
      {place.next !== null && (
        <a className="btn wide" href={browserAddress(place.next)}>
          {t('emailOffer.continue')}
        </a>
      )}
      <p className="small muted center">
        <a href={browserAddress(emailPath)}>{t('emailChange.again')}</a>
      </p>
    </Screen>
  )
}

async function takeCode(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const found = await ownSession(posted, { user: form.user ?? null, back: emailPath })
  if ('elsewhere' in found) return found.elsewhere
  const page = parseHandle('mailPage', form.page)
  const { carried, next } = placeOf(form)
  const hereWith = (error: string | null) =>
    seeOther(withQuery(path, [['page', page], ...carriedFields(carried), ['error', error]]))
  const code = form.code?.trim() ?? ''
  if (code === '') return hereWith('missing')
  const entered = { session: found.session, page, browser: cookies.browser, code }
  switch (await confirmByCode(services.ports, entered, context)) {
    case 'changed':
      return seeOther(next ?? '/account?done=email')
    case 'wrong':
      return hereWith('wrong')
    case 'used_up':
      return hereWith(null)
    case 'expired':
      return seeOther(`${emailPath}/confirm`)
  }
}
