/** The page after the registration form, if the address is verified before the account is created. */
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
import { browserCookie } from '#lib/http/cookies.ts'
import { keep } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import {
  redeemRegistrationCode,
  resendRegistration,
  type WaitingRegistration,
  waitingRegistration,
} from '#lib/identity/registration/confirm-registration.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { type MailPageHandle, parseHandle } from '#lib/protocol/ids.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { withCarried } from '../../sign-in-step.ts'
import { answerConfirmation } from '../answer-confirmation.ts'

const here = codePages.registration

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  here.path,
  pendingPage(readSent, SentPage),
  formHandler(answerForm, readForm),
)

type ShownSent = CodePageState & { readonly waiting: WaitingRegistration }

async function readSent(exchange: PageExchange): Promise<PageContent<ShownSent>> {
  const { query, cookies, services } = exchange
  const page = parseHandle('mailPage', query.page)
  const waiting = await waitingRegistration(services.ports, { page, browser: cookies.browser })
  if (waiting === null || page === null) return { elsewhere: seeOther(here.start) }
  const state = codePageState(exchange, page)
  return {
    shown: { waiting, ...state },
    frame: { query: keep(query, 'page') },
    status: pageStatusOf(state.limited),
  }
}

function SentPage(shown: ShownSent & { readonly frame: Frame }) {
  const { frame, waiting, page, isKept } = shown
  const { email, pending, back } = waiting
  const fields = <input type="hidden" name="passkeys" data-creates-passkeys />
  return (
    <MailCodePage {...shown} texts={here} address={email} fields={fields}>
      <ResendForm frame={frame} isKept={isKept} action={here.path}>
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="action" value="resend" />
      </ResendForm>
      <p className="small muted center">
        <a href={browserAddress(withCarried(here.start, { pending, back }))}>
          {frame.t('registration.other')}
        </a>
      </p>
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login', { pending, back }))}>{frame.t('recovery.back')}</a>
      </p>
    </MailCodePage>
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
  const address = `${here.path}?page=${page ?? ''}`
  switch (outcome.kind) {
    case 'expired':
      return seeOther(here.start)
    case 'wait':
      return seeOther(`${address}&done=wait`)
    case 'limited':
      return seeOther(`${address}&error=limited&wait=${Math.ceil(outcome.retryAfterSeconds)}`)
    case 'requested': {
      const cookie = browserCookie(outcome.browser, services.config.issuer)
      return seeOther(`${here.path}?page=${outcome.page}&done=sent`, [cookie])
    }
  }
}

async function takeCode(posted: FormExchange<FormFields>, page: MailPageHandle | null): Promise<Reply> {
  const { form, cookies, services } = posted
  const { code = '' } = form
  const query = [['page', page]] as const
  if (code.trim() === '') return refuseCode(here, 'missing', query)
  const outcome = await redeemRegistrationCode(services.ports, { page, browser: cookies.browser, code })
  if (outcome.kind !== 'right') return refuseCode(here, outcome.kind, query)
  return answerConfirmation(posted, { link: outcome.link, password: '' })
}
