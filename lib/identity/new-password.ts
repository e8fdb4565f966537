/** The step after a sign-in with a temporary password: the user chooses a new one. */
import { rateLimits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { checkWithinLimits, ownLimits } from '#lib/ports/rate-limiter.ts'
import type { Digest, SessionHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { eventFields, finishSignIn, type ReturningSignInOutcome } from './finish-sign-in.ts'
import { hintsOf } from './interaction.ts'
import {
  expiredPartial,
  findPendingPartial,
  type PartialProof,
  type PendingPartial,
  signInContextOf,
  type TemporaryPasswordUser,
  userWithTemporaryPassword,
} from './partial-sign-in.ts'
import {
  type ChoiceProblem,
  type PasswordChoice,
  problemOfChoice,
  type UnfitPassword,
  unfit,
} from './password-choice.ts'
import { markKnownBrowser } from './sign-in-limits.ts'

export type NewPasswordView = {
  readonly username: string
  /** `null`: no app requested the sign-in. */
  readonly client: Client | null
  readonly uiLocales: readonly string[]
}

export type NewPasswordInput = PartialProof &
  PasswordChoice & { readonly previous: SessionHandle | null; readonly knownBrowser: string | null }

export type NewPasswordOutcome = ReturningSignInOutcome | UnfitPassword<ChoiceProblem | 'limited'>

/** `null` if no new password is required; then `completePartialSignIn` continues. */
export async function newPasswordView(ports: Ports, proof: PartialProof): Promise<NewPasswordView | null> {
  const partial = await findPendingPartial(ports, proof)
  const user = partial && (await userWithTemporaryPassword(ports, partial))
  if (partial === null || user === null) return null
  const { interaction } = partial
  return {
    username: user.username,
    client: interaction?.hints.client ?? null,
    uiLocales: interaction?.uiLocales ?? [],
  }
}

/**
 * Replaces the temporary password and continues the sign-in. This ends all sessions and other interrupted sign-ins of the
 * user. Works once, in the interrupted browser.
 */
export async function chooseNewPassword(
  ports: Ports,
  input: NewPasswordInput,
  context: RequestContext,
): Promise<NewPasswordOutcome> {
  const partial = await findPendingPartial(ports, input)
  const user = partial && (await userWithTemporaryPassword(ports, partial))
  if (partial === null || user === null) return expiredPartial(ports, context)
  const problem = await problemOfChoice(ports, input, user)
  if (problem !== null) return unfit(problem)
  const limits = ownLimits([{ key: `new-password:${user.subject}`, ...rateLimits.account }])
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => changePassword(ports, partial, user, input.password),
    isFailure: change => change.kind !== 'replaced',
  })
  if (attempt.kind === 'limited') return unfit('limited', attempt.retryAfterSeconds)
  const change = attempt.result
  if (change.kind === 'same') return unfit('same')
  if (change.kind === 'expired') return expiredPartial(ports, context)
  return continueSignIn(ports, { input, partial, user, provenHash: change.provenHash }, context)
}

type PasswordChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'expired' }
  /** `provenHash` is the digest of the new password's hash. */
  | { readonly kind: 'replaced'; readonly provenHash: Digest }

/**
 * `expired` if nothing was replaced. The interrupted sign-in is taken first, so that only one of two concurrent requests sets
 * a password and opens a session.
 */
async function changePassword(
  ports: Ports,
  { row }: PendingPartial,
  { subject, passwordHash }: TemporaryPasswordUser,
  password: string,
): Promise<PasswordChange> {
  if (await ports.passwords.verify(password, passwordHash)) return { kind: 'same' }
  const successor = await ports.passwords.hash(password)
  if (!(await ports.partialSignIns.take(row.digest))) return { kind: 'expired' }
  const hashes = { replaced: passwordHash, successor }
  const isChosen = await ports.users.choosePassword(subject, hashes, ports.clock.now())
  return isChosen ? { kind: 'replaced', provenHash: ports.hashing.digest(successor) } : { kind: 'expired' }
}

type Chosen = {
  readonly input: NewPasswordInput
  readonly partial: PendingPartial
  readonly user: TemporaryPasswordUser
  readonly provenHash: Digest
}

async function continueSignIn(
  ports: Ports,
  { input, partial, user, provenHash }: Chosen,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const { subject, username } = user
  const { pending } = partial
  const signInContext = { ...signInContextOf(partial, input.previous), provenHash }
  const fields = eventFields(ports, signInContext, { idp: signInContext.idp, by: 'first_sign_in' })
  ports.events.record({ name: 'password_changed', outcome: 'success', subject, ...fields }, context)
  const authentication = await ports.userService.completePartial(subject, hintsOf(partial.interaction))
  const outcome = await finishSignIn(ports, authentication, signInContext, context)
  if (outcome.kind !== 'signed_in') return { ...outcome, pending }
  const account = await ports.userService.canonicalUsername(username)
  return { ...outcome, knownBrowser: await markKnownBrowser(ports, input.knownBrowser, { account }), pending }
}
