/** The step after a sign-in with a temporary password: the user chooses a new one. */
import { rateLimits } from '#lib/config/limits.ts'
import { limitedAttempt } from '#lib/ports/limited-attempt.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Digest, SessionHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { about, finishSignIn } from './finish-sign-in.ts'
import { type Holder, holderOfHandedOut } from './handed-out.ts'
import { hintsOf } from './interaction.ts'
import { markDevice } from './known-device.ts'
import { expiredPartial } from './partial-sign-in.ts'
import { type ChoiceProblem, type PasswordChoice, problemOfChoice } from './password-choice.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'
import { arrivalOf, findWaitingPartial, type PartialProof, type WaitingPartial } from './waiting-partial.ts'

export type NewPasswordView = {
  readonly username: string
  /** `null`: no client waits, the user started the sign-in. */
  readonly client: Client | null
  readonly uiLocales: readonly string[]
}

export type NewPasswordInput = PartialProof &
  PasswordChoice & { readonly previous: SessionHandle | null; readonly device: string | null }

/** `unfit`: nothing happened, and the same handle may be tried with another password. */
export type NewPasswordOutcome =
  | ReturningSignInOutcome
  | { readonly kind: 'unfit'; readonly why: ChoiceProblem | 'limited'; readonly retryAfterSeconds: number }

/** `null` when there is nothing to choose: `completePartialSignIn` knows what then. */
export async function newPasswordView(ports: Ports, proof: PartialProof): Promise<NewPasswordView | null> {
  const waiting = await findWaitingPartial(ports, proof)
  const holder = waiting && (await holderOfHandedOut(ports, waiting.row))
  if (waiting === null || holder === null) return null
  const { interaction } = waiting
  return {
    username: holder.username,
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
  const waiting = await findWaitingPartial(ports, input)
  const holder = waiting && (await holderOfHandedOut(ports, waiting.row))
  if (waiting === null || holder === null) return expiredPartial(ports, context)
  const problem = await problemOfChoice(ports, input, holder)
  if (problem !== null) return unfit(problem)
  const rules = [{ key: `new-password:${holder.subject}`, ...rateLimits.account }]
  const attempt = await limitedAttempt(ports, rules, {
    check: () => changed(ports, waiting, holder, input.password),
    isFailure: change => change.kind !== 'replaced',
  })
  if (attempt.kind === 'limited') return unfit('limited', attempt.retryAfterSeconds)
  const change = attempt.result
  if (change.kind === 'same') return unfit('same')
  if (change.kind === 'expired') return expiredPartial(ports, context)
  return finished(ports, { input, waiting, holder, provenHash: change.provenHash }, context)
}

function unfit(why: ChoiceProblem | 'limited', retryAfterSeconds = 0): NewPasswordOutcome {
  return { kind: 'unfit', why, retryAfterSeconds }
}

type PasswordChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'expired' }
  /** `provenHash` is the digest of the new password's hash. */
  | { readonly kind: 'replaced'; readonly provenHash: Digest }

/**
 * `expired` when nothing was replaced. The interrupted sign-in is taken first: of two answers at the same time only one
 * may set a password and open a session.
 */
async function changed(
  ports: Ports,
  { row }: WaitingPartial,
  { subject, passwordHash }: Holder,
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
  readonly waiting: WaitingPartial
  readonly holder: Holder
  /** What a further interruption goes on from. */
  readonly provenHash: Digest
}

async function finished(
  ports: Ports,
  { input, waiting, holder, provenHash }: Chosen,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const { subject, username } = holder
  const { pending } = waiting
  const arrival = { ...arrivalOf(waiting, input.previous), provenHash }
  recordChange(ports, subject, about(ports, arrival, { by: 'first_sign_in' }), context)
  const authentication = await ports.userService.completePartial(subject, hintsOf(waiting.interaction))
  const outcome = await finishSignIn(ports, authentication, arrival, context)
  if (outcome.kind !== 'signed_in') return { ...outcome, pending }
  const account = await ports.userService.canonicalUsername(username)
  return { ...outcome, device: await markDevice(ports, input.device, account), pending }
}

function recordChange(
  { events }: Ports,
  subject: SubjectId,
  rest: ReturnType<typeof about>,
  context: RequestContext,
): void {
  events.record({ name: 'password_changed', outcome: 'success', subject, ...rest }, context)
}
