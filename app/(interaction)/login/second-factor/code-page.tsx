/** The pages that ask for a second factor: a code of the authenticator app, or a recovery code. */

import { TextField } from '#app/_ui/fields.tsx'
import { type FormExchange, type PageContent, type PageExchange, pendingPage } from '#app/_ui/hosted-route.ts'
import { LimitedNotice, Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { TotpField } from '#app/_ui/totp-field.tsx'
import { lifetimeSeconds, secondFactors as limits } from '#lib/config/limits.ts'
import { trustedBrowserCookie } from '#lib/http/cookies.ts'
import type { Query } from '#lib/http/page-frame.ts'
import type { FormFields } from '#lib/http/read-params.ts'
import { type Reply, seeOther, withCookies } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { proveByCode, type SecondFactorInput } from '#lib/identity/second-factor/prove-second-factor.ts'
import { type SecondFactorView, secondFactorView } from '#lib/identity/second-factor/second-factor-step.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { passkeyFactorPath, recoveryCodePath, secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedIn, withHandles } from './carried.ts'
import { WaysOut } from './ways-out.tsx'

type Kind = SecondFactorInput['kind']

const paths = { totp: secondFactorPath, recovery_code: recoveryCodePath } as const satisfies Record<
  Kind,
  string
>

export function showCodePage(kind: Kind) {
  return pendingPage<ShownCodePage>(page => readCodePage(page, kind), CodePage)
}

async function readCodePage(
  { query, cookies, services }: PageExchange,
  kind: Kind,
): Promise<PageContent<ShownCodePage>> {
  const carried = carriedIn(query)
  const proof = { partial: parseHandle('partial', query.partial), browser: cookies.browser }
  const view = await secondFactorView(services.pendingPorts(), proof)
  if (view === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  const problem = problemOf(query)
  const { uiLocales } = view
  return {
    shown: { kind, view, carried, problem },
    frame: { query: carried, uiLocales },
    status: pageStatusOf(problem),
  }
}

const problemTexts = { wrong: 'secondFactor.wrong', used: 'secondFactor.used' } as const

type Problem = { readonly kind: 'wrong' | 'used' | 'limited'; readonly wait: string | undefined }

function problemOf({ error, wait }: Query): Problem | null {
  return error === 'wrong' || error === 'used' || error === 'limited' ? { kind: error, wait } : null
}

type ShownCodePage = {
  readonly kind: Kind
  readonly view: SecondFactorView
  readonly carried: Query
  readonly problem: Problem | null
}

type CodePageProps = ShownCodePage & { readonly frame: Frame }

function CodePage(props: CodePageProps) {
  const { frame, kind, view, carried, problem } = props
  const { t, siteName, issuer } = frame
  const app = view.client && shownApp(view.client, issuer)
  const isTotp = kind === 'totp'
  const title = t(isTotp ? 'secondFactor.title' : 'secondFactor.recoveryTitle', {
    name: app?.name ?? siteName,
  })
  return (
    <Screen frame={frame} title={title} isProblem={problem !== null} asksAgain>
      <PageHead app={app} heading={headingOf(t, isTotp, app?.name ?? null)}>
        <p className="small muted">{leadOf(t, isTotp, { name: view.name, site: siteName })}</p>
      </PageHead>
      <ProblemOfCode t={t} isTotp={isTotp} problem={problem} />
      <CodeForm {...props} />
      <OtherWays frame={frame} kind={kind} view={view} carried={carried} />
    </Screen>
  )
}

function headingOf(t: Translate, isTotp: boolean, app: string | null): string {
  if (!isTotp) return t('secondFactor.recoveryHeading')
  return app === null ? t('secondFactor.heading') : t('secondFactor.headingApp', { app })
}

function leadOf(
  t: Translate,
  isTotp: boolean,
  { name, site }: { readonly name: string | null; readonly site: string },
): string {
  if (!isTotp) return t('secondFactor.recoveryLead')
  if (name === null) return t('secondFactor.lead', { site })
  return t('secondFactor.leadNamed', { name: displayName(name, ''), site })
}

type ProblemProps = {
  readonly t: Translate
  readonly isTotp: boolean
  readonly problem: Problem | null
}

function ProblemOfCode({ t, isTotp, problem }: ProblemProps) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  const text: MessageKey = isTotp ? problemTexts[problem.kind] : 'secondFactor.recoveryWrong'
  return (
    <Notice kind="bad" id="problem">
      {t(text)}
    </Notice>
  )
}

function CodeForm({ frame: { t }, kind, view, carried, problem }: CodePageProps) {
  const isWrong = problem !== null && problem.kind !== 'limited'
  return (
    <form className="form" method="post" action={browserAddress(paths[kind])}>
      {Object.entries(carried).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {kind === 'totp' ? (
        <TotpField label={t('secondFactor.code')} hint={t('secondFactor.hint')} isWrong={isWrong} />
      ) : (
        <RecoveryCodeField t={t} isWrong={isWrong} />
      )}
      {!view.isConfirmation && (
        <label className="check">
          <input type="checkbox" name="trust" value="on" aria-describedby="trust-hint" />
          <span>
            {t('secondFactor.trust', { days: lifetimeSeconds.trustedBrowser / 86_400 })}
            <span className="small muted block" id="trust-hint">
              {t('secondFactor.trustHint')}
            </span>
          </span>
        </label>
      )}
      <SubmitButton label={t('secondFactor.submit')} busy={t('secondFactor.busy')} />
    </form>
  )
}

type RecoveryCodeFieldProps = { readonly t: Translate; readonly isWrong: boolean }

function RecoveryCodeField({ t, isWrong }: RecoveryCodeFieldProps) {
  return (
    <TextField
      id="code"
      label={t('secondFactor.recoveryCode')}
      hint={t('secondFactor.recoveryHint')}
      isWrong={isWrong}
      input={{
        type: 'text',
        dir: 'ltr',
        maxLength: limits.typedCharacters,
        enterKeyHint: 'go',
        autoComplete: 'off',
      }}
    />
  )
}

type OtherWaysProps = Pick<ShownCodePage, 'kind' | 'view' | 'carried'> & { readonly frame: Frame }

/** Links to the other ways that the user has, each at its own address, and the ways out. */
function OtherWays({ frame, kind, view, carried }: OtherWaysProps) {
  const { t } = frame
  const other: readonly [path: string, text: MessageKey] | null =
    kind === 'recovery_code'
      ? [secondFactorPath, 'secondFactor.useApp']
      : view.hasRecoveryCodes
        ? [recoveryCodePath, 'secondFactor.useRecoveryCode']
        : null
  return (
    <div className="stack center small muted">
      {other !== null && (
        <p>
          {kind === 'totp' && <>{t('secondFactor.lost')} </>}
          <a href={browserAddress(withHandles(other[0], carried))}>{t(other[1])}</a>
        </p>
      )}
      {view.hasPasskeys && (
        <p>
          <a href={browserAddress(withHandles(passkeyFactorPath, carried))}>{t('secondFactor.usePasskey')}</a>
        </p>
      )}
      <WaysOut frame={frame} carried={carried} client={view.client} lost={lostText(kind, view)} />
    </div>
  )
}

/** Selects the sentence for a user who has lost everything that this page asks for; `null`: the page leads to another way. */
function lostText(kind: Kind, view: SecondFactorView): MessageKey | null {
  if (kind === 'recovery_code') return 'secondFactor.lostCodes'
  return view.hasRecoveryCodes || view.hasPasskeys ? null : 'secondFactor.lostDevice'
}

export function checkCode(kind: Kind) {
  return async (posted: FormExchange<FormFields>): Promise<Reply> => {
    const { form, request, cookies, context, services } = posted
    const carried = carriedIn(form)
    const { browser, sessions: previous, knownBrowser, trustedBrowsers } = cookies
    const input = {
      ...{
        partial: parseHandle('partial', carried.partial),
        browser,
        previous,
        knownBrowser,
        trustedBrowsers,
      },
      ...{ kind, code: form.code ?? '', isToTrust: form.trust !== undefined },
    }
    const answer = await proveByCode(services.pendingPorts(), input, context)
    if (answer.kind === 'wrong_code') {
      const { why, retryAfterSeconds } = answer
      const wait: Query = retryAfterSeconds > 0 ? { wait: String(Math.ceil(retryAfterSeconds)) } : {}
      return seeOther(withHandles(paths[kind], { ...carried, error: why, ...wait }))
    }
    const { issuer } = services.config
    const back = readBack(request.headers.get('cookie'), issuer)
    const pending = answer.pending ?? parseHandle('pending', carried.pending)
    const reply = respondSignIn(answer, posted, { pending, username: null, back })
    if (answer.trustedBrowsers === null) return reply
    return withCookies(reply, [trustedBrowserCookie(answer.trustedBrowsers, issuer)])
  }
}
