/** The page after a user who forgot the password requested a mail. */
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
import { keep } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import {
  redeemCode,
  type WaitingRecovery,
  waitingRecovery,
} from '#lib/identity/password-recovery/waiting-recovery.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CarriedFields } from '../../sign-in-parts.tsx'
import { withCarried } from '../../sign-in-step.ts'

const here = codePages.recovery

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  here.path,
  pendingPage(readSent, SentPage),
  formHandler(takeCode, readForm),
)

type ShownSent = CodePageState & { readonly waiting: WaitingRecovery }

async function readSent(exchange: PageExchange): Promise<PageContent<ShownSent>> {
  const { query, cookies, services } = exchange
  const page = parseHandle('mailPage', query.page)
  const waiting = await waitingRecovery(services.ports, { page, browser: cookies.browser })
  if (waiting === null || page === null) return { elsewhere: seeOther(here.start) }
  return { shown: { waiting, ...codePageState(exchange, page) }, frame: { query: keep(query, 'page') } }
}

function SentPage(shown: ShownSent & { readonly frame: Frame }) {
  const { frame, waiting, page, isKept } = shown
  const { typed, pending, back } = waiting
  const carried = { pending, back }
  return (
    <MailCodePage {...shown} texts={here} address={typed}>
      <ResendForm frame={frame} isKept={isKept} action={here.start}>
        <CarriedFields carried={carried} />
        <input type="hidden" name="username" value={typed} />
        <input type="hidden" name="earlier" value={page} />
      </ResendForm>
      <p className="small muted center">
        <a href={browserAddress(withCarried(here.start, carried))}>{frame.t('recovery.other')}</a>
      </p>
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login', carried))}>{frame.t('recovery.back')}</a>
      </p>
    </MailCodePage>
  )
}

async function takeCode({ form, cookies, services }: FormExchange<FormFields>): Promise<Reply> {
  const page = parseHandle('mailPage', form.page)
  const { code = '' } = form
  const query = [['page', page]] as const
  if (code.trim() === '') return refuseCode(here, 'missing', query)
  const outcome = await redeemCode(services.ports, { page, browser: cookies.browser, code })
  if (outcome.kind !== 'right') return refuseCode(here, outcome.kind, query)
  return seeOther(`/login/forgot/password?link=${outcome.link}`)
}
