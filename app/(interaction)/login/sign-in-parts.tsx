/** Parts that the pages of a sign-in share: the problem of the last attempt, hidden fields, and the way back to the app. */

import { LimitedNotice, Notice } from '#app/_ui/notice.tsx'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { Query } from '#lib/http/page-frame.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { displayHref, displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { type Carried, carriedFields, type SignInStep } from './sign-in-step.ts'

const problemTexts = {
  credentials: 'login.credentials',
  fields: 'login.fields',
  limited: 'login.limitedSeconds',
  provider_failed: 'login.providerFailed',
  provider_cancelled: 'login.providerCanceled',
  not_allowed: 'login.notAllowed',
  account_refused: 'login.accountRefused',
  another_account: 'login.anotherAccount',
  passkey: 'login.passkeyFailed',
  passkey_needs_provider: 'login.passkeyNeedsProvider',
  missing: 'login.missing',
  expired: 'login.signInExpired',
  stale: 'login.signInStale',
  signed_out: 'login.signedOut',
  already_set_up: 'login.appSetUp',
  // Shown when the message is not stored, such as after two minutes
  message: 'login.accountRefused',
} as const satisfies Record<string, MessageKey>

type ProblemKind = keyof typeof problemTexts
export type Problem = {
  readonly kind: ProblemKind
  readonly wait: string | undefined
  /** The message with which the user service or a hook refused the sign-in; `null` if none is stored. */
  readonly message: string | null
  /** The scheme in the query. The page names the provider only if the sign-in offers it. */
  readonly scheme: string | null
}

/** Reads a problem from the query parameters `error`, `wait` and `provider`. Returns `null` without a known error. */
export function problemOf({ error, wait, provider }: Query, message: string | null = null): Problem | null {
  if (error === undefined || !isProblem(error)) return null
  return { kind: error, wait, message, scheme: provider ?? null }
}

function isProblem(error: string): error is ProblemKind {
  return Object.hasOwn(problemTexts, error)
}

type StepProps = { readonly t: Translate; readonly step: SignInStep }

/**
 * The problem as a notice. A wrong user name has the same sentence as a wrong password, so that the notice does not reveal which
 * user names exist.
 */
export function SignInProblem({ t, step, problem }: StepProps & { readonly problem: Problem | null }) {
  if (problem === null) return null
  const { kind, scheme } = problem
  if (kind === 'not_allowed' && scheme === null && !step.allowsPassword) {
    return (
      <Notice kind="bad" id="problem">
        {t('login.notAllowedLocal')}
      </Notice>
    )
  }
  const found = step.providers.find(each => each.scheme === scheme)
  const provider = found === undefined ? null : displayName(found.displayName, found.scheme)
  return <ProblemNotice t={t} problem={problem} provider={provider} />
}

type ProblemNoticeProps = {
  readonly t: Translate
  readonly problem: Problem | null
  /** The name of the identity provider, if the page may show it. */
  readonly provider: string | null
}

/** The problem as a notice, for a page without a choice of ways to sign in. */
export function ProblemNotice({ t, problem, provider }: ProblemNoticeProps) {
  if (problem === null) return null
  const { kind, wait, message } = problem
  if (kind === 'limited') return <LimitedNotice t={t} wait={wait} />
  const isOwnMessage = kind === 'message' && message !== null
  return (
    <Notice kind="bad" id="problem">
      {isOwnMessage
        ? displayText(message, 300)
        : t(problemTexts[kind], { provider: provider ?? t('login.aProvider') })}
    </Notice>
  )
}

type SigningInUserProps = {
  readonly t: Translate
  readonly user: { readonly subject: SubjectId; readonly name: string }
}

/** The user whose sign-in waits, on a page that changes the account. */
export function SigningInUser({ t, user: { subject, name } }: SigningInUserProps) {
  return <p className="small muted">{t('login.signingInAs', { name: displayName(name, subject) })}</p>
}

export function CarriedFields({ carried }: { readonly carried: Carried }) {
  return carriedFields(carried).map(([name, value]) => (
    <input type="hidden" key={name} name={name} value={value} />
  ))
}

/**
 * A link to the app's home page. For an app without a home page: a button that cancels the sign-in, so that the app receives
 * `access_denied`. For the dashboard, the link is shown only if the admin must sign in again: otherwise its home page would
 * lead back here. Nothing is shown if no app requested the sign-in.
 */
export function BackToApp({ t, step: { client, carried, isAgain } }: StepProps) {
  if (client === null || carried.pending === null) return null
  if (client.clientId === adminClientId && !isAgain) return null
  const app = displayName(client.clientName, client.clientId)
  const home = displayHref(client.clientUri)
  if (home !== null) {
    return (
      <p className="small muted center">
        <a href={browserAddress(home)} rel="noreferrer">
          {t('login.back', { app })}
        </a>
      </p>
    )
  }
  return <CancelSignIn t={t} pending={carried.pending} app={app} />
}

type CancelProps = { readonly t: Translate; readonly pending: string; readonly app: string }

/** A button that ends the request, so that the app receives `access_denied`. */
export function CancelSignIn({ t, pending, app }: CancelProps) {
  return (
    <form className="center" method="post" action={browserAddress('/login/cancel')}>
      <input type="hidden" name="pending" value={pending} />
      <button type="submit" className="btn plain small muted">
        {t('login.cancel', { app })}
      </button>
    </form>
  )
}
