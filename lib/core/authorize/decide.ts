/** The one place that decides what comes next for a valid request. Pure. */
import { covers, isConsentNeeded } from '#lib/core/consent/consent-rule.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { ConsentAnswer, Session } from '#lib/ports/sessions.ts'
import type { ProviderScheme, ScopeName } from '#lib/protocol/ids.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { DecisionContext } from './decision-context.ts'
import { requestedProvider } from './open-providers.ts'
import { hintDiffers, type SignedIn, signInReasons } from './sign-in-reasons.ts'

/** What comes next for a valid request, and why. */
export type Decision =
  | {
      readonly kind: 'issue'
      readonly session: Session
      readonly scopes: readonly ScopeName[]
      /** The remembered consent that replaces the question; `null` where none was needed. */
      readonly consent: Consent | null
    }
  | { readonly kind: 'ask'; readonly at: PausePage; readonly reason: ErrorReason }
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly reason: ErrorReason }
  | { readonly kind: 'refuse'; readonly reason: ErrorReason }

export type PausePage = 'login' | 'providers' | 'select_account' | 'consent'

/**
 * Decides between asking the user, answering the client, and refusing. With `prompt=none` a step that would ask becomes
 * the error of its reason (OpenID Connect Core 3.1.2.6).
 */
export function decide(context: DecisionContext): Decision {
  const { session } = context
  if (session === null) return unlessSilent(context, signInDecision(context, 'not_signed_in'))
  const signedIn = { ...context, session }
  return askForSignIn(signedIn) ?? askForConsent(signedIn)
}

function askForSignIn(context: SignedIn): Decision | null {
  const reason = signInReasons.find(({ applies }) => applies(context))
  if (reason === undefined) return refuseWrongUser(context)
  if (reason.at === 'sign_in') return unlessSilent(context, signInDecision(context, reason.name))
  return unlessSilent(context, { kind: 'ask', at: 'select_account', reason: reason.name })
}

/**
 * Where the users of this client sign in: directly at the provider that the request names or the only one there is, at
 * our own form, or where they choose a provider.
 */
function signInDecision({ request, client, providers }: DecisionContext, reason: ErrorReason): Decision {
  const asked = requestedProvider(request, client, providers)
  if (asked !== null && asked !== localProvider) return { kind: 'forward', scheme: asked, reason }
  if (client.enableLocalLogin) return { kind: 'ask', at: 'login', reason }
  const [first, second] = providers
  if (first === undefined) return { kind: 'refuse', reason: 'no_way_to_sign_in' }
  if (second === undefined) return { kind: 'forward', scheme: first.scheme, reason }
  return { kind: 'ask', at: 'providers', reason }
}

// OpenID Connect Core 3.1.2.1: never a success for another user than the hint names
function refuseWrongUser(context: SignedIn): Decision | null {
  return hintDiffers(context) ? { kind: 'refuse', reason: 'hint_names_another' } : null
}

function askForConsent(context: SignedIn): Decision {
  const { request, session, client, remembered } = context
  const answered = context.pending && answeredConsent(context, context.pending.consent)
  if (answered !== null) return answered
  const reason = request.prompts.includes('consent') ? 'prompt_consent' : 'consent_needed'
  if (reason === 'consent_needed' && !isConsentNeeded(context, request.scopes)) {
    const consent = client.requireConsent ? remembered : null
    return { kind: 'issue', session, scopes: request.scopes, consent }
  }
  return unlessSilent(context, { kind: 'ask', at: 'consent', reason })
}

/**
 * `null` when nothing was answered in this session. A remembered answer counts as long as it is stored: if the user
 * removes the app's access in the meantime, the answer is revoked (CN-07).
 */
function answeredConsent(
  { request, session, remembered, consentCanBeRemembered }: SignedIn,
  answer: ConsentAnswer | null,
): Decision | null {
  if (answer?.sessionId !== session.sessionId) return null
  if (answer.decision === 'deny') return { kind: 'refuse', reason: 'consent_denied' }
  const scopes = request.scopes.filter(scope => answer.scopes.includes(scope))
  const issue = { kind: 'issue', session, scopes } as const
  if (!answer.remember || !consentCanBeRemembered) return { ...issue, consent: null }
  return remembered !== null && covers(remembered, scopes) ? { ...issue, consent: remembered } : null
}

function unlessSilent({ request }: DecisionContext, decision: Decision): Decision {
  if (!request.prompts.includes('none') || decision.kind === 'refuse' || decision.kind === 'issue')
    return decision
  return { kind: 'refuse', reason: decision.reason }
}
