/** Sign-in with a passkey as the only factor. */
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { checkWithinLimits } from '#lib/core/limits/attempt-limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import type { BrowserHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import {
  finishSignIn,
  localSignIn,
  recordLimited,
  recordRefusal,
  type SignInContext,
} from '../finish-sign-in.ts'
import { allowsLocal, hintsOf, mayOfferAfter } from '../interaction.ts'
import type { SignInInput } from '../sign-in.ts'
import { markKnownBrowser, passkeyAttemptLimits } from '../sign-in-limits.ts'
import { refused, type SignInOutcome } from '../sign-in-outcome.ts'
import {
  assertionOptions,
  factorOfPasskey,
  type PasskeyRefusal,
  type SentCeremony,
  type VerifiedPasskey,
  verifyAssertion,
} from './assertion.ts'

function signInBinding(browser: BrowserHandle) {
  return { purpose: 'sign_in', browser, subject: null, partial: null, requiresUser: true } as const
}

/**
 * Returns the options for the browser, with the sealed challenge; `null` if there are no passkeys at this address. The list of
 * passkeys is empty: the authenticator finds those for this server.
 */
export function signInOptions(
  ports: Pick<Ports, 'settings' | 'random' | 'clock' | 'sealing' | 'hashing'>,
  browser: BrowserHandle,
) {
  return assertionOptions(ports, signInBinding(browser), [])
}

export type PasskeySignInInput = SentCeremony &
  Pick<SignInInput, 'remember' | 'pending' | 'browser' | 'previous' | 'knownBrowser'>

/**
 * Verifies the passkey and opens a session, unless a step interrupts or refuses the sign-in. The user sees the same for an
 * unknown passkey, a wrong response, and a locked or deleted account. Failed attempts are counted for the address.
 */
export async function signInWithPasskey(
  ports: Ports,
  input: PasskeySignInInput,
  context: RequestContext,
): Promise<SignInOutcome> {
  const { remember, pending, browser, previous } = input
  const interaction = await findInteraction(ports, pending, browser)
  const facts = { ...localSignIn, hints: hintsOf(interaction), mayOffer: mayOfferAfter(interaction) }
  const signIn = { ...facts, remember, pending, browser, previous }
  if (pending !== null && interaction === null) {
    recordRefusal(ports, { reason: 'request_expired' }, signIn, context)
    return { kind: 'expired' }
  }
  if (!allowsLocal(ports, interaction)) {
    recordRefusal(ports, { reason: 'local_login_disabled' }, signIn, context)
    return refused('not_allowed')
  }
  const attempt = await checkWithinLimits(ports, passkeyAttemptLimits(context), {
    check: () => checkPasskey(ports, input, signIn.hints),
    isFailure: isFailed,
  })
  if (attempt.kind === 'limited') return recordLimited(ports, attempt.retryAfterSeconds, signIn, context)
  const outcome = await finishChecked(ports, attempt.result, signIn, context)
  if (outcome.kind !== 'signed_in') return outcome
  return { ...outcome, knownBrowser: await markOf(ports, input, attempt.result) }
}

type Checked =
  | PasskeyRefusal
  /** The passkey was added in a session of an identity provider: it does not replace the sign-in there. */
  | { readonly kind: 'needs_provider'; readonly subject: SubjectId }
  | (VerifiedPasskey & { readonly result: Authentication })

/** Verifies the passkey, and asks the user service about its owner. */
async function checkPasskey(ports: Ports, input: PasskeySignInInput, hints: SignInHints): Promise<Checked> {
  const { browser } = input
  if (browser === null) return { kind: 'refused', reason: 'passkey_challenge_unknown' }
  const verified = await verifyAssertion(ports, input, signInBinding(browser))
  if (verified.kind === 'refused') return verified
  const { subject, idp } = verified.passkey
  if (idp !== localProvider) return { kind: 'needs_provider', subject }
  const { userService } = ports
  const decided =
    userService.authenticateSubject?.(subject, hints) ?? userService.completePartial(subject, hints)
  return { ...verified, result: await decided }
}

function isFailed(checked: Checked): boolean {
  return checked.kind === 'refused' || (checked.kind === 'verified' && checked.result.kind === 'refused')
}

async function finishChecked(
  ports: Ports,
  checked: Checked,
  signIn: SignInContext & typeof localSignIn,
  context: RequestContext,
): Promise<SignInOutcome> {
  if (checked.kind === 'needs_provider') {
    const { subject } = checked
    recordRefusal(ports, { reason: 'passkey_needs_provider', subject }, signIn, context)
    return refused('passkey_needs_provider')
  }
  if (checked.kind === 'refused') {
    const { reason, subject, unknownId } = checked
    recordRefusal(ports, { reason, ...(subject === undefined ? {} : { subject }) }, signIn, context)
    return { ...refused('passkey'), ...(unknownId === undefined ? {} : { unknownPasskey: unknownId }) }
  }
  const { result } = checked
  const outcome = await finishSignIn(ports, result, { ...signIn, ...factorOfPasskey(checked) }, context)
  return outcome.kind === 'refused' && outcome.why === 'credentials' ? refused('passkey') : outcome
}

/** Returns the mark of a known browser, as after a password; `null` if the account is not in the store of this server. */
async function markOf(
  ports: Ports,
  { knownBrowser }: PasskeySignInInput,
  checked: Checked,
): Promise<string | null> {
  const account =
    checked.kind === 'verified' && checked.result.kind === 'full' ? checked.result.account : undefined
  if (account === undefined) return null
  const name = await ports.userService.canonicalUsername(account.username)
  return markKnownBrowser(ports, knownBrowser, { account: name, read: account })
}
