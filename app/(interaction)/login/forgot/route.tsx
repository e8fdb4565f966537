/** The page where users who forgot their password ask for a mail. Known and unknown names get the same answer. */
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
import { localeOf } from '#lib/http/page-frame.ts'
import { type FormFields, readForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { attemptCookie, backPath, longestUsername, readAttempt } from '#lib/http/step-cookies.ts'
import {
  type RecoveryRequest,
  recoveryOf,
  requestRecovery,
} from '#lib/identity/password-recovery/request-recovery.ts'
import { waitingRecovery } from '#lib/identity/password-recovery/waiting-recovery.ts'
import { readInteraction } from '#lib/identity/pending-user.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'
import { pendingHandle, resumeReply } from '../../pending-page.ts'
import { CarriedFields } from '../sign-in-parts.tsx'
import { type Carried, carriedFields, withCarried } from '../sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/forgot',
  pendingPage(readRecovery, RecoveryPage),
  formHandler(askForMail, readForm),
)

type ShownRecovery = {
  readonly client: Client | null
  readonly carried: Carried
  readonly username: string
  readonly problem: Problem | null
  /** Whether passwords can be reset by mail. */
  readonly isOffered: boolean
}

type Problem = { readonly kind: 'missing' | 'limited'; readonly wait: string | undefined }

async function readRecovery(page: PageExchange): Promise<PageContent<ShownRecovery>> {
  const { query, cookies, services, request } = page
  const pending = pendingHandle(query)
  const { interaction } = await readInteraction(services.pendingPorts(), { ...cookies, pending })
  if (interaction === null && query.pending !== undefined) return { elsewhere: resumeReply(query) }
  const { issuer } = services.config
  const attempt = readAttempt(services.sealing, request.headers.get('cookie'), { pending, issuer })
  const carried = { pending, back: pending === null ? backPath(query.back) : null }
  const problem = problemOf(query)
  return {
    shown: {
      client: interaction?.client ?? null,
      carried,
      username: attempt?.username ?? interaction?.loginHint ?? '',
      problem,
      isOffered: recoveryOf(services.ports, interaction) !== null,
    },
    frame: { query: Object.fromEntries(carriedFields(carried)), uiLocales: interaction?.uiLocales ?? [] },
    status: pageStatusOf(problem),
  }
}

function problemOf({ error, wait }: PageExchange['query']): Problem | null {
  return error === 'missing' || error === 'limited' ? { kind: error, wait } : null
}

function RecoveryPage({
  frame,
  client,
  carried,
  username,
  problem,
  isOffered,
}: ShownRecovery & { readonly frame: Frame }) {
  const { t, siteName, issuer } = frame
  const title = t('recovery.title', { name: appOrSite(client, siteName) })
  return (
    <Screen frame={frame} title={title} isProblem={problem !== null}>
      <PageHead app={client && shownApp(client, issuer)} heading={t('recovery.heading')}>
        {isOffered && <p className="small muted">{t('recovery.lead')}</p>}
      </PageHead>
      {problem?.kind === 'limited' && <LimitedNotice t={t} wait={problem.wait} />}
      {problem?.kind === 'missing' && (
        <Notice kind="bad" id="problem">
          {t('recovery.missing')}
        </Notice>
      )}
      {isOffered ? (
        <form className="form" method="post" action={browserAddress('/login/forgot')}>
          <CarriedFields carried={carried} />
          <TextField
            id="username"
            label={t('login.username')}
            isWrong={problem?.kind === 'missing'}
            input={{
              type: 'text',
              dir: 'auto',
              maxLength: longestUsername,
              defaultValue: username,
              autoComplete: 'username',
              enterKeyHint: 'send',
            }}
          />
          <SubmitButton label={t('recovery.submit')} busy={t('recovery.busy')} />
        </form>
      ) : (
        <Notice kind="warn">{t('recovery.off', { site: siteName })}</Notice>
      )}
      <p className="small muted center">
        <a href={browserAddress(withCarried('/login', carried))}>{t('recovery.back')}</a>
      </p>
    </Screen>
  )
}

async function askForMail(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const pending = parseHandle('pending', form.pending)
  const back = pending === null ? backPath(form.back) : null
  const carried = { pending, back }
  const again = (error: string, wait: number | null = null) => {
    const seconds = wait === null ? null : String(Math.ceil(wait))
    return seeOther(
      withQuery('/login/forgot', [...carriedFields(carried), ['error', error], ['wait', seconds]]),
    )
  }
  if (form.prefill !== undefined) return prefilled(services, form.prefill, carried)
  const typed = form.username?.trim() ?? ''
  if (typed === '') return again('missing')
  const ports = services.pendingPorts()
  const { interaction } = await readInteraction(ports, { ...cookies, pending })
  if (recoveryOf(ports, interaction) === null) return seeOther(withCarried('/login/forgot', carried))
  const earlier = parseHandle('mailPage', form.earlier)
  const waiting = await waitingRecovery(ports, { page: earlier, browser: cookies.browser })
  if (waiting !== null && waiting.waitSeconds > 0)
    return seeOther(`/login/forgot/sent?page=${earlier ?? ''}&done=wait`)
  const locale = localeOf(posted, interaction?.uiLocales)
  const asked = { typed: typed.slice(0, longestUsername), pending, back, browser: cookies.browser, locale }
  const outcome = await requestRecovery(ports, asked, context)
  if (outcome.kind === 'limited') return again('limited', outcome.retryAfterSeconds)
  const { page, browser } = outcome
  const news = waiting === null ? '' : '&done=sent'
  return seeOther(`/login/forgot/sent?page=${page}${news}`, [browserCookie(browser, services.config.issuer)])
}

/** Shows the page with the name that was typed on the sign-in page. It is kept in a sealed cookie, and never in an address. */
function prefilled(
  { sealing, config: { issuer } }: Services,
  username: string,
  carried: Carried & Pick<RecoveryRequest, 'pending'>,
): Reply {
  const { pending } = carried
  const kept = attemptCookie(sealing, { username, message: null }, { pending, issuer })
  return seeOther(withCarried('/login/forgot', carried), [kept])
}
