/** Says at which step a sign-in waits or ended, if its last event is not an answer. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { reasonWords } from './reason-words.ts'

type StepEvent = Pick<StoredEvent, 'name' | 'outcome' | 'reason' | 'flow' | 'details' | 'time'>

/** The pages at which an authorization request waits, by `at` in its event. */
const pages: Readonly<Record<string, string>> = {
  login: 'the sign-in page',
  providers: 'the choice of an identity provider',
  provider: 'the sign-in at the identity provider',
  select_account: 'the choice of an account',
  consent: 'the consent page',
  step_up: 'the page for another factor',
  register: 'the registration page',
}

/**
 * Returns the sentence about the last event of a sign-in; `null` if that is an answer or a refusal of the whole request, or
 * belongs to no sign-in.
 */
export function stoppedAt(events: readonly StepEvent[], now: Date): string | null {
  const last = events.findLast(event => stepAfter(event) !== undefined)
  const step = last && stepAfter(last)
  if (last === undefined || step === undefined || step === null) return null
  const isOver = secondsAfter(last.time, lifetimeSeconds.partialSignIn) <= now
  return isOver
    ? `The sign-in ended here: the user did not complete ${step}.`
    : `The sign-in waits for the user at ${step}.`
}

/** The pages of the steps that have no reason, by `step` in the event of the interrupted sign-in. */
const reasonlessSteps: Readonly<Record<string, string>> = {
  user_service: 'a page of the user service',
  planned_deletion: 'the question whether to keep the account, whose deletion is planned',
  offered_link: 'the question whether to link the identity to the account with its address',
}

const interrupted: Step = ({ reason, details }) =>
  reasonlessSteps[String(details.step)] ?? `one more step${because(reason)}`

/** Returns the step after an event of a sign-in; `null`: no step follows; `undefined`: the event does not change the step. */
type Step = (event: StepEvent) => string | null | undefined

const retried: Step = ({ flow, reason }) =>
  flow === null ? null : `a sign-in after this failure${because(reason)}`

/** Makes the step after a request for a mail. With a reason, the user got no link. */
function afterMail(what: string): Step {
  return ({ flow, reason }) => {
    if (flow === null) return undefined
    return reason === null ? what : `a sign-in, as no mail with a link was sent${because(reason)}`
  }
}

const withNewPassword: Step = ({ flow, details }) =>
  flow !== null && details.by === 'recovery' ? 'a sign-in with the new password' : undefined

const stepOf: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['authorize_paused', ({ details }) => pages[String(details.at)] ?? 'a page of this server'],
  ['sign_in_partial', interrupted],
  ['external_sign_in_started', () => pages.provider ?? null],
  ['external_sign_in_failed', retried],
  ['sign_in_failed', retried],
  ['sign_in_limited', retried],
  ['password_mail_requested', afterMail('the choice of a new password by mail')],
  ['password_changed', withNewPassword],
  ['registration_requested', afterMail('the confirmation of a registration by mail')],
  ['sign_in_succeeded', () => null],
  ['session_stepped_up', () => null],
  ['consent_granted', () => null],
  ['consent_denied', () => null],
  ['authorize_answered', () => null],
  ['authorize_refused', () => null],
  ['code_redeemed', () => null],
  ['tokens_issued', () => null],
])

function stepAfter(event: StepEvent): string | null | undefined {
  return stepOf.get(event.name)?.(event)
}

function because(reason: string | null): string {
  return reason === null ? '' : ` (${reasonWords(reason)})`
}
