/** The one place that decides what comes next for a valid request. Pure. */
import { canBeRemembered, covers, isConsentNeeded } from '#lib/core/consent/consent-rule.ts'
import type { ErrorCode } from '#lib/errors/catalog.ts'
import type { ConsentAnswer } from '#lib/ports/sessions.ts'
import { signInPlace } from './sign-in-place.ts'
import { hintDiffers, type SignedIn, signInReasons } from './sign-in-reasons.ts'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'

/**
 * Decides between asking the person, answering the client, and refusing. With `prompt=none` a step that
 * would ask becomes the error of its reason (OpenID Connect Core 3.1.2.6).
 */
export function decide(situation: Situation): Step {
  const { session } = situation
  if (session === null)
    return unlessSilent(situation, 'login_required', signInPlace(situation, 'not_signed_in'))
  return signInStep({ ...situation, session }) ?? consentStep({ ...situation, session })
}

function signInStep(situation: SignedIn): Step | null {
  const reason = signInReasons.find(({ applies }) => applies(situation))
  if (reason === undefined) return refuseWrongPerson(situation)
  if (reason.at === 'sign_in')
    return unlessSilent(situation, reason.error, signInPlace(situation, reason.name))
  return unlessSilent(situation, reason.error, { kind: 'ask', at: 'select_account', reason: reason.name })
}

// OpenID Connect Core 3.1.2.1: never a success for another person than the hint names
function refuseWrongPerson(situation: SignedIn): Step | null {
  return hintDiffers(situation)
    ? { kind: 'refuse', code: 'login_required', reason: 'hint_names_another' }
    : null
}

function consentStep(situation: SignedIn): Step {
  const { request, session, client, remembered } = situation
  const answered = situation.pending && answeredStep(situation, situation.pending.consent)
  if (answered !== null) return answered
  const reason = request.prompts.includes('consent') ? 'prompt_consent' : 'consent_needed'
  const isNeeded = isConsentNeeded(
    { client, redirectUri: request.redirectUri, scopes: request.scopes },
    remembered,
  )
  if (reason === 'consent_needed' && !isNeeded) {
    const consent = client.requireConsent ? remembered : null
    return { kind: 'issue', session, scopes: request.scopes, consent }
  }
  return unlessSilent(situation, 'consent_required', { kind: 'ask', at: 'consent', reason })
}

/**
 * `null` when nothing was answered in this session. An answer that is remembered counts as long as it is: who takes the
 * app's access away meanwhile has taken the answer back (CN-07).
 */
function answeredStep(
  { request, client, session, remembered }: SignedIn,
  answer: ConsentAnswer | null,
): Step | null {
  if (answer?.sessionId !== session.sessionId) return null
  if (answer.decision === 'deny') return { kind: 'refuse', code: 'access_denied', reason: 'consent_denied' }
  const scopes = request.scopes.filter(scope => answer.scopes.includes(scope))
  const issue = { kind: 'issue', session, scopes } as const
  if (!answer.remember || !canBeRemembered(client, request.redirectUri)) return { ...issue, consent: null }
  return remembered !== null && covers(remembered, scopes) ? { ...issue, consent: remembered } : null
}

function unlessSilent({ request }: Situation, code: ErrorCode, step: Step): Step {
  if (!request.prompts.includes('none') || step.kind === 'refuse' || step.kind === 'issue') return step
  return { kind: 'refuse', code, reason: step.reason }
}
