/** The step after a sign-in with a temporary password: the user chooses a new one. */
import { rateLimits } from '#lib/config/limits.ts'
import { checkWithinLimits, ownLimits } from '#lib/core/limits/attempt-limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { knownCaller } from '#lib/ports/check-caller.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep } from '#lib/ports/sign-in-steps.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Digest, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { eventFields } from './finish-sign-in.ts'
import { type ShownRequest, shownRequest } from './interaction.ts'
import {
  continueTaken,
  expiredPartial,
  findPartialAt,
  type PartialProof,
  type PendingPartial,
  signInContextOf,
} from './partial-sign-in.ts'
import {
  type ChoiceProblem,
  ownerOf,
  type PasswordChoice,
  problemsOfChoice,
  shortestPassword,
  type UnfitPassword,
  unfit,
} from './password-choice.ts'
import { markKnownBrowser } from './sign-in-limits.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'

const stepName = 'new_password'

/** The step for a temporary password, which only allows choosing a new one. */
export const newPasswordStep: SignInStep<Ports> = {
  name: stepName,
  reason: 'password_change_required',
  path: newPasswordPath,
  applies: async ({ users }, { proven, account }) => {
    if (proven.idp !== localProvider || proven.factors[0].credential.kind !== 'password') return false
    return mustChoosePassword(account ?? (await users.findBySubject(proven.subject)))
  },
}

type TemporaryPasswordUser = StoredUser & { readonly passwordHash: string }

function mustChoosePassword(user: StoredUser | null): user is TemporaryPasswordUser {
  return user?.mustChangePassword === true && user.passwordHash !== null
}

/** Returns the interrupted sign-in that waits for a new password, and its user; `null` if there is none. */
async function findWaiting(ports: Ports, proof: PartialProof): Promise<Waiting | null> {
  const partial = await findPartialAt(ports, stepName, proof)
  const user = partial && (await ports.users.findBySubject(partial.proven.subject))
  return partial !== null && mustChoosePassword(user) ? { partial, user } : null
}

type Waiting = { readonly partial: PendingPartial; readonly user: TemporaryPasswordUser }

/** `minimum`: the number of characters that the password must have. */
export type NewPasswordView = ShownRequest & { readonly username: string; readonly minimum: number }

export type NewPasswordInput = PartialProof &
  PasswordChoice & { readonly previous: readonly SessionHandle[]; readonly knownBrowser: string | null }

export type NewPasswordOutcome = ReturningSignInOutcome | UnfitPassword<ChoiceProblem | 'limited'>

/**
 * Returns the content of the page; `null` if no sign-in waits for a new password: `completePartialSignIn` then
 * continues the sign-in, or reports that it expired.
 */
export async function newPasswordView(ports: Ports, proof: PartialProof): Promise<NewPasswordView | null> {
  const waiting = await findWaiting(ports, proof)
  if (waiting === null) return null
  const { partial, user } = waiting
  const minimum = await shortestPassword(ports, user)
  return { username: user.username, minimum, ...shownRequest(partial.interaction) }
}

/**
 * Replaces the temporary password and continues the sign-in. The replacement ends all sessions, grants and other
 * interrupted sign-ins of the user. Works once, in the interrupted browser.
 */
export async function chooseNewPassword(
  ports: Ports,
  input: NewPasswordInput,
  context: RequestContext,
): Promise<NewPasswordOutcome> {
  const waiting = await findWaiting(ports, input)
  if (waiting === null) return expiredPartial(ports, context)
  const { partial, user } = waiting
  const problems = await problemsOfChoice(ports, input, ownerOf(user))
  if (problems.length > 0) return unfit(problems)
  const limits = ownLimits([{ key: `new-password:${user.subject}`, ...rateLimits.account }])
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => changePassword(ports, partial, user, input.password),
    isFailure: change => change.kind !== 'replaced',
  })
  if (attempt.kind === 'limited') return unfit(['limited'], attempt.retryAfterSeconds)
  const change = attempt.result
  if (change.kind === 'same') return unfit(['same'])
  if (change.kind === 'expired') return expiredPartial(ports, context)
  return continueSignIn(ports, { input, partial, user, provenHash: change.provenHash }, context)
}

type PasswordChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'expired' }
  /** The password was replaced. `provenHash` is the digest of the new hash. */
  | { readonly kind: 'replaced'; readonly provenHash: Digest }

/**
 * Replaces the password. Returns `same` for the temporary password itself, and `expired` if the sign-in was already
 * continued or the account has changed. The interrupted sign-in is consumed before the password is replaced, so that
 * only one of two concurrent requests sets a password and opens a session.
 */
async function changePassword(
  ports: Ports,
  { row }: PendingPartial,
  { subject, passwordHash }: TemporaryPasswordUser,
  password: string,
): Promise<PasswordChange> {
  if (await ports.passwords.verify(password, passwordHash, knownCaller)) return { kind: 'same' }
  const successor = await ports.passwords.hash(password)
  if (!(await ports.partialSignIns.take(row.digest))) return { kind: 'expired' }
  const hashes = { replaced: passwordHash, successor }
  const notices = await securityNotice(ports, subject, 'password_changed')
  const isChosen = await ports.users.choosePassword(subject, hashes, { now: ports.clock.now(), notices })
  return isChosen ? { kind: 'replaced', provenHash: ports.hashing.digest(successor) } : { kind: 'expired' }
}

type Chosen = Waiting & { readonly input: NewPasswordInput; readonly provenHash: Digest }

/** Continues with a new decision of the user service about the changed account and the new password. */
async function continueSignIn(
  ports: Ports,
  { input: { previous, knownBrowser }, partial, user, provenHash }: Chosen,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const { subject, username } = user
  const signIn = signInContextOf(partial, previous)
  const fields = eventFields(ports, signIn, { idp: signIn.idp, by: 'first_sign_in' })
  ports.events.record({ name: 'password_changed', outcome: 'success', subject, ...fields }, context)
  const [first, ...others] = partial.proven.factors
  const credential = { kind: 'password', hash: provenHash } as const
  const chosen = { ...first, credential, at: ports.clock.now() }
  const userService = { kind: 'interrupted', path: newPasswordPath } as const
  const proven = { ...partial.proven, userService, factors: [chosen, ...others] } as const
  const outcome = await continueTaken(ports, { partial, previous, proven }, context)
  if (outcome.kind !== 'signed_in') return outcome
  const account = await ports.userService.canonicalUsername(username)
  return { ...outcome, knownBrowser: await markKnownBrowser(ports, knownBrowser, { account }) }
}
