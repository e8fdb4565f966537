/** The page after a sign-in at a provider, if an account has the same address: the user proves that account, or gets a new one. */

import { PasswordField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm, type FormFields, readPasswordForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import {
  declineLink,
  type OfferedLinkView,
  offeredLinkView,
  proveOfferedAccount,
} from '#lib/identity/links/offered-link.ts'
import type { SignInRefused } from '#lib/identity/sign-in-outcome.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { offeredLinkPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedIn, withHandles } from '../second-factor/carried.ts'
import { type Problem, ProblemNotice, problemOf } from '../sign-in-parts.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  offeredLinkPath,
  pendingPage(readOffer, OfferPage),
  formHandler(answerOffer, readPasswordForm),
)

type ShownOffer = {
  readonly view: OfferedLinkView
  readonly carried: Query
  readonly problem: Problem | null
}

async function readOffer({ query, cookies, services }: PageExchange): Promise<PageContent<ShownOffer>> {
  const carried = carriedIn(query)
  const proof = { partial: parseHandle('partial', query.partial), browser: cookies.browser }
  const view = await offeredLinkView(services.pendingPorts(), proof)
  if (view === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  const problem = problemOf(query)
  const { uiLocales } = view
  return {
    shown: { view, carried, problem },
    frame: { query: carried, uiLocales },
    status: pageStatusOf(problem),
  }
}

function OfferPage({ frame, view, carried, problem }: ShownOffer & { readonly frame: Frame }) {
  const { t, siteName, issuer } = frame
  const { client, provider } = view
  const isWrong = problem?.kind === 'credentials' || problem?.kind === 'missing'
  return (
    <Screen
      frame={frame}
      title={t('links.offerTitle', { name: appOrSite(client, siteName) })}
      isProblem={problem !== null}
    >
      <PageHead app={client && shownApp(client, issuer)} heading={t('links.offerHeading')}>
        <p className="small muted">
          {t('links.offerLead', { email: displayText(view.email, 80), provider, site: siteName })}
        </p>
      </PageHead>
      <OfferProblem t={t} problem={problem} provider={provider} />
      <form className="form" method="post" action={browserAddress(offeredLinkPath)}>
        <HandleFields carried={carried} />
        <PasswordField
          t={t}
          id="password"
          label={t('links.offerPassword', { site: siteName })}
          autoComplete="current-password"
          isLast
          isWrong={isWrong}
          aside={view.offersRecovery && <ForgottenPassword t={t} pending={carried.pending} />}
        />
        <SubmitButton label={t('links.offerSubmit')} busy={t('login.busy')} />
      </form>
      <form className="center" method="post" action={browserAddress(offeredLinkPath)}>
        <HandleFields carried={carried} />
        <button type="submit" className="btn plain small muted" name="choice" value="new">
          {t('links.offerDecline')}
        </button>
      </form>
    </Screen>
  )
}

type ForgottenProps = { readonly t: Translate; readonly pending: string | undefined }

function ForgottenPassword({ t, pending }: ForgottenProps) {
  const path = withQuery('/login/forgot', [['pending', pending ?? null]])
  return (
    <a className="aside" href={browserAddress(path)}>
      {t('recovery.link')}
    </a>
  )
}

type OfferProblemProps = Parameters<typeof ProblemNotice>[0]

/** The problem as a notice. Only the password can be wrong or missing. */
function OfferProblem(props: OfferProblemProps) {
  const { t, problem } = props
  const text = ownTexts.get(problem?.kind)
  if (text === undefined) return <ProblemNotice {...props} />
  return (
    <Notice kind="bad" id="problem">
      {t(text)}
    </Notice>
  )
}

const ownTexts = new Map<string | undefined, MessageKey>([
  ['credentials', 'links.offerWrong'],
  ['missing', 'links.offerMissing'],
])

function HandleFields({ carried }: { readonly carried: Query }) {
  return Object.entries(carried).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}

async function answerOffer(posted: FormExchange<FormFields>): Promise<Reply> {
  const { request, cookies, context, services, form } = posted
  const { password = '', choice } = form
  const carried = carriedIn(form)
  const { browser, sessions: previous, knownBrowser, trustedBrowsers } = cookies
  const place = { partial: parseHandle('partial', carried.partial), browser, previous, trustedBrowsers }
  const ports = services.pendingPorts()
  const isNew = choice === 'new'
  if (!isNew && password === '') return offerAgain(carried, { why: 'missing', retryAfterSeconds: 0 })
  const answer = isNew
    ? await declineLink(ports, place, context)
    : await proveOfferedAccount(ports, { ...place, password, knownBrowser }, context)
  if (answer.kind === 'refused' && (answer.why === 'credentials' || answer.why === 'limited')) {
    return offerAgain(carried, { why: answer.why, retryAfterSeconds: answer.retryAfterSeconds })
  }
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  const pending = answer.pending ?? parseHandle('pending', carried.pending)
  return respondSignIn(answer, posted, { pending, username: null, back })
}

type Refusal = Pick<SignInRefused<'credentials' | 'limited' | 'missing'>, 'why' | 'retryAfterSeconds'>

function offerAgain(carried: Query, { why, retryAfterSeconds }: Refusal): Reply {
  const wait = retryAfterSeconds > 0 ? [['wait', String(Math.ceil(retryAfterSeconds))] as const] : []
  return seeOther(
    `${withHandles(offeredLinkPath, carried)}&${encodeForm([['error', why] as const, ...wait])}`,
  )
}
