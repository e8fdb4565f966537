/** The page that asks for a passkey as a further factor. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { LimitedNotice, Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { PasskeyForm } from '#app/_ui/passkey-form.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import {
  type PasskeyFactorView,
  passkeyFactorView,
  proveByPasskey,
} from '#lib/identity/passkeys/passkey-step.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { passkeyFactorPath, secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedIn, withHandles } from '../carried.ts'
import { WaysOut } from '../ways-out.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  passkeyFactorPath,
  pendingPage(readPasskeyPage, PasskeyPage),
  formHandler(checkPasskey, readForm),
)

async function readPasskeyPage({ query, cookies, services }: PageExchange): Promise<PageContent<Shown>> {
  const carried = carriedIn(query)
  const proof = { partial: parseHandle('partial', query.partial), browser: cookies.browser }
  const view = await passkeyFactorView(services.pendingPorts(), proof)
  if (view === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  const problem = problemOf(query)
  return {
    shown: { view, carried, problem },
    frame: { query: carried, uiLocales: view.uiLocales },
    status: pageStatusOf(problem),
  }
}

type Problem = { readonly kind: 'passkey' | 'limited'; readonly wait: string | undefined }

function problemOf({ error, wait }: Query): Problem | null {
  return error === 'passkey' || error === 'limited' ? { kind: error, wait } : null
}

type Shown = {
  readonly view: PasskeyFactorView
  readonly carried: Query
  readonly problem: Problem | null
}

function PasskeyPage({ frame, view, carried, problem }: Shown & { readonly frame: Frame }) {
  const { t, siteName, issuer } = frame
  const app = view.client && shownApp(view.client, issuer)
  const heading = app === null ? t('passkeyFactor.heading') : t('passkeyFactor.headingApp', { app: app.name })
  return (
    <Screen
      frame={frame}
      title={t('passkeyFactor.title', { name: app?.name ?? siteName })}
      isProblem={problem !== null}
      asksAgain
      usesPasskeys
    >
      <PageHead app={app} heading={heading}>
        <p className="small muted">{leadOf(t, view.name)}</p>
      </PageHead>
      <ProblemOfPasskey t={t} problem={problem} />
      <PasskeyForm
        kind="get"
        action={passkeyFactorPath}
        query={`?${encodeForm(Object.entries(carried))}`}
        label={t('passkeyFactor.submit')}
        busy={t('secondFactor.busy')}
        failed={t('passkeyFactor.failed')}
        canceled={t(view.hasCode ? 'passkeyFactor.canceledApp' : 'passkeyFactor.canceled')}
        look="primary"
      >
        {Object.entries(carried).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </PasskeyForm>
      <div data-no-passkeys>
        <Notice kind="warn">{t('passkeyFactor.noScript')}</Notice>
      </div>
      <OtherWays frame={frame} view={view} carried={carried} />
    </Screen>
  )
}

function leadOf(t: Translate, name: string | null): string {
  return name === null
    ? t('passkeyFactor.lead')
    : t('passkeyFactor.leadNamed', { name: displayName(name, '') })
}

function ProblemOfPasskey({ t, problem }: Pick<Shown, 'problem'> & { readonly t: Translate }) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  return (
    <Notice kind="bad" id="problem">
      {t('passkeyFactor.failed')}
    </Notice>
  )
}

/** A link to the code of the authenticator app, if the user has one, and the ways out. */
function OtherWays({ frame, view, carried }: Pick<Shown, 'view' | 'carried'> & { readonly frame: Frame }) {
  const { t } = frame
  return (
    <div className="stack center small muted">
      {view.hasCode && (
        <p>
          <a href={browserAddress(withHandles(secondFactorPath, carried))}>{t('secondFactor.useApp')}</a>
        </p>
      )}
      <WaysOut
        frame={frame}
        carried={carried}
        client={view.client}
        lost={view.hasCode ? null : 'confirm.lost'}
      />
    </div>
  )
}

async function checkPasskey(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, request, cookies, context, services } = posted
  const carried = carriedIn(form)
  const { ceremony = '', response = '' } = form
  const { browser, sessions: previous, knownBrowser } = cookies
  const partial = parseHandle('partial', carried.partial)
  const input = { ceremony, response, partial, browser, previous, knownBrowser }
  const answer = await proveByPasskey(services.pendingPorts(), input, context)
  if (answer.kind === 'refused' && (answer.why === 'passkey' || answer.why === 'limited')) {
    const { why, retryAfterSeconds } = answer
    const wait: Query = retryAfterSeconds > 0 ? { wait: String(Math.ceil(retryAfterSeconds)) } : {}
    return seeOther(withHandles(passkeyFactorPath, { ...carried, error: why, ...wait }))
  }
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  const pending = answer.pending ?? parseHandle('pending', carried.pending)
  return respondSignIn(answer, posted, { pending, username: null, back })
}
