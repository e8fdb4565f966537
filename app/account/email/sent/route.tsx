/** The page after a user entered a new address, which is confirmed here or by the link of the mail. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import {
  type CodePageState,
  codePageState,
  codePages,
  MailCodePage,
  ResendForm,
  refuseCode,
} from '#app/_ui/mail-code.tsx'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { CarriedFields } from '#app/(interaction)/login/sign-in-parts.tsx'
import { carriedFields } from '#app/(interaction)/login/sign-in-step.ts'
import { browserCookie } from '#lib/http/cookies.ts'
import { type FormFields, readForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import {
  confirmByCode,
  type WaitingEmailChange,
  waitingEmailChange,
} from '#lib/identity/email-change/confirm-email-change.ts'
import { resendEmailChange } from '#lib/identity/email-change/request-email-change.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { emailPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'
import { ownSession } from '../../own-session.ts'

const here = codePages.emailChange

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  here.path,
  pendingPage(readSent, SentPage),
  formHandler(answerForm, readForm),
)

type ShownSent = CodePageState & {
  readonly waiting: WaitingEmailChange
  readonly subject: string
  readonly place: ReturnType<typeof placeOf>
}

type Sent = { readonly pending?: string | undefined; readonly back?: string | undefined }

/** Returns the parameters that lead to the app or page that waits, and its address; `null`: none waits. */
function placeOf({ pending, back }: Sent) {
  const carried = { pending: parseHandle('pending', pending), back: backPath(back) }
  const isAwaited = carried.pending !== null || carried.back !== null
  return { carried, next: isAwaited ? continuation(carried.pending, carried.back) : null }
}

async function readSent(exchange: PageExchange): Promise<PageContent<ShownSent>> {
  const { query, cookies, services } = exchange
  const found = await ownSession(exchange, { back: here.start })
  if ('elsewhere' in found) return found
  const page = parseHandle('mailPage', query.page)
  const waiting = await waitingEmailChange(services.ports, { page, browser: cookies.browser })
  if (waiting === null || page === null) return { elsewhere: seeOther(here.start) }
  const { subject } = found.session
  const place = placeOf(query)
  const state = codePageState(exchange, page)
  return {
    shown: { waiting, subject, place, ...state },
    frame: { query: { page, ...Object.fromEntries(carriedFields(place.carried)) }, offersSignOut: true },
    status: pageStatusOf(state.limited),
  }
}

function SentPage(shown: ShownSent & { readonly frame: Frame }) {
  const { frame, waiting, page, subject, place, isKept } = shown
  const fields = (
    <>
      <input type="hidden" name="user" value={subject} />
      <CarriedFields carried={place.carried} />
    </>
  )
  return (
    <MailCodePage {...shown} texts={here} address={waiting.address} fields={fields}>
      <ResendForm frame={frame} isKept={isKept} action={here.path}>
        {fields}
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="action" value="resend" />
      </ResendForm>
      {place.next !== null && (
        <a className="btn wide" href={browserAddress(place.next)}>
          {frame.t('emailOffer.continue')}
        </a>
      )}
      <p className="small muted center">
        <a href={browserAddress(here.start)}>{frame.t('registration.other')}</a>
      </p>
      {place.next === null && (
        <p className="small muted center">
          <a href={browserAddress('/account')}>{frame.t('password.back')}</a>
        </p>
      )}
    </MailCodePage>
  )
}

function answerForm(posted: FormExchange<FormFields>): Promise<Reply> {
  return posted.form.action === 'resend' ? sendAgain(posted) : takeCode(posted)
}

async function sendAgain(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const found = await freshSession(posted, here.start)
  if ('elsewhere' in found) return found.elsewhere
  const page = parseHandle('mailPage', form.page)
  const asked = { session: found.session, page, browser: cookies.browser }
  const outcome = await resendEmailChange(services.ports, asked, context)
  const query = carriedFields(placeOf(form).carried)
  switch (outcome.kind) {
    case 'wait':
      return seeOther(withQuery(here.path, [['page', page], ...query, ['done', 'wait']]))
    case 'limited': {
      const wait = String(Math.ceil(outcome.retryAfterSeconds))
      return seeOther(withQuery(here.path, [['page', page], ...query, ['error', 'limited'], ['wait', wait]]))
    }
    case 'requested': {
      const cookie = browserCookie(outcome.browser, services.config.issuer)
      return seeOther(withQuery(here.path, [['page', outcome.page], ...query, ['done', 'sent']]), [cookie])
    }
    default:
      return seeOther(here.start)
  }
}

async function takeCode(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const found = await ownSession(posted, { user: form.user ?? null, back: here.start })
  if ('elsewhere' in found) return found.elsewhere
  const page = parseHandle('mailPage', form.page)
  const { carried, next } = placeOf(form)
  const query = [['page', page], ...carriedFields(carried)] as const
  const { code = '' } = form
  if (code.trim() === '') return refuseCode(here, 'missing', query)
  const entered = { session: found.session, page, browser: cookies.browser, code }
  const outcome = await confirmByCode(services.ports, entered, context)
  if (outcome === 'changed') return seeOther(next ?? '/account?done=email')
  return outcome === 'expired' ? seeOther(`${emailPath}/confirm`) : refuseCode(here, outcome, query)
}
