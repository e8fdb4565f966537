/** Sign-in with a user name and a password. */
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { checkWithinLimits } from '#lib/core/limits/attempt-limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication } from '#lib/ports/users.ts'
import type {
  BrowserHandle,
  PendingHandle,
  SessionHandle,
  SubjectId,
  TrustedBrowserHandle,
} from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  finishSignIn,
  localSignIn,
  recordLimited,
  recordRefusal,
  type SignInStart,
} from './finish-sign-in.ts'
import { allowsLocal, hintsOf, mayOfferAfter } from './interaction.ts'
import { beginOffer } from './passkeys/offer.ts'
import { areAcceptable, type EnteredFields, withoutPasswords } from './sign-in-fields.ts'
import { markKnownBrowser, passwordAttemptLimits } from './sign-in-limits.ts'
import { refused, type SignInOutcome } from './sign-in-outcome.ts'

export type SignInInput = {
  readonly username: string
  readonly password: string
  readonly remember: boolean
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  /** The browser's current session, which ends when the sign-in succeeds. */
  readonly previous: readonly SessionHandle[]
  /** The known-browser cookie. */
  readonly knownBrowser: string | null
  readonly trustedBrowsers?: readonly TrustedBrowserHandle[]
  /** The values of the additional fields of the form. */
  readonly fields?: EnteredFields
  /** The user who confirms the identity; see `ProvenSignIn`. */
  readonly confirms?: SubjectId
  /** Whether the browser can create passkeys on this device. */
  readonly canCreatePasskeys?: boolean
}

/**
 * Checks the credentials and opens a session, unless a step interrupts or refuses the sign-in. The outcome is the same
 * for an unknown user, a wrong password, a locked account and an account without password. Only failed attempts are
 * counted, for all names of the account together.
 * @throws OauthError `temporarily_unavailable` if too many passwords are being checked
 */
export async function signIn(
  ports: Ports,
  input: SignInInput,
  context: RequestContext,
): Promise<SignInOutcome> {
  const { knownBrowser } = input
  const interaction = await findInteraction(ports, input.pending, input.browser)
  const signInContext = signInContextOf(ports, input, interaction)
  if (input.pending !== null && interaction === null) {
    recordRefusal(ports, { reason: 'request_expired' }, signInContext, context)
    return { kind: 'expired' }
  }
  if (!allowsLocal(ports, interaction)) {
    recordRefusal(ports, { reason: 'local_login_disabled' }, signInContext, context)
    return refused('not_allowed')
  }
  const { fields = {} } = input
  if (!areAcceptable(ports.signInFields, fields)) return refused('fields')
  const hints = ports.signInFields.length === 0 ? hintsOf(interaction) : { ...hintsOf(interaction), fields }
  const account = await ports.userService.canonicalUsername(input.username.trim())
  const { limits, caller } = await passwordAttemptLimits(ports, {
    account,
    knownBrowser,
    address: context.address,
  })
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => {
      const credentials = { username: input.username.trim(), password: input.password }
      return ports.userService.authenticate(credentials, { ...hints, caller })
    },
    isFailure: authentication => authentication.kind === 'refused',
  })
  if (attempt.kind === 'limited')
    return recordLimited(ports, attempt.retryAfterSeconds, signInContext, context)
  const outcome = await finishSignIn(ports, attempt.result, { ...signInContext, account }, context)
  if (outcome.kind !== 'signed_in') return outcome
  const read = attempt.result.kind === 'full' ? attempt.result.account : undefined
  const known = await markKnownBrowser(ports, knownBrowser, { account, read })
  const mayOfferPasskey =
    input.canCreatePasskeys === true && outcome.offersEmail !== true && mayOfferAfter(interaction)
  const isOffered = mayOfferPasskey && (await offersPasskey(ports, attempt.result))
  return { ...outcome, knownBrowser: known, ...(isOffered ? { offersPasskey: true } : {}) }
}

async function offersPasskey(ports: Ports, result: Authentication): Promise<boolean> {
  return result.kind === 'full' && beginOffer(ports, result.subject)
}

function signInContextOf(
  { signInFields }: Pick<Ports, 'signInFields'>,
  { fields = {}, ...input }: SignInInput,
  interaction: PendingInteraction | null,
): SignInStart {
  const credential = { kind: 'password', hash: null } as const
  const entered = signInFields.length === 0 ? {} : { fields: withoutPasswords(signInFields, fields) }
  const { remember, pending, browser, previous, confirms, trustedBrowsers = [] } = input
  const confirmed = confirms === undefined ? {} : { confirms }
  const hints = hintsOf(interaction)
  const mayOffer = mayOfferAfter(interaction)
  const facts = { ...localSignIn, ...entered, ...confirmed, trustedBrowsers, mayOffer }
  return { ...facts, credential, remember, pending, browser, previous, hints }
}
