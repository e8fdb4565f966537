/**
 * Changes the password of a signed-in user (AU-03). The current password is required, and all other sessions are signed
 * out.
 */

import { checkWithinLimits } from '#lib/core/limits/attempt-limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { knownCaller } from '#lib/ports/check-caller.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Digest, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  type ChoiceProblem,
  ownerOf,
  type PasswordChoice,
  problemsOfChoice,
  type UnfitPassword,
  unfit,
} from './password-choice.ts'
import { openSession, type SignedIn } from './session.ts'
import { markKnownBrowser, passwordAttemptLimits } from './sign-in-limits.ts'

export type OwnPasswordInput = PasswordChoice & {
  readonly session: Session
  readonly current: string
  /** The sessions of the browser. */
  readonly previous: readonly SessionHandle[]
  readonly knownBrowser: string | null
}

export type OwnPasswordOutcome =
  | SignedIn
  /** The user has no password on this server, or local sign-in is disabled. */
  | { readonly kind: 'no_password' }
  | UnfitPassword<ChoiceProblem | 'missing_current' | 'wrong' | 'limited'>

/** Returns the user of the session; `null` if the user has no password on this server, or cannot sign in with it. */
export async function passwordOwner(ports: Ports, { subject }: Session): Promise<StoredUser | null> {
  if (!ports.settings.localLogin) return null
  const user = await ports.users.findBySubject(subject)
  return user?.passwordHash ? user : null
}

/**
 * Changes the password. Ends every session, grant and interrupted sign-in of the user, and gives this browser a session
 * with a new ID (SE-02, RT-08). A wrong current password counts as a failed sign-in.
 */
export async function changeOwnPassword(
  ports: Ports,
  input: OwnPasswordInput,
  context: RequestContext,
): Promise<OwnPasswordOutcome> {
  const user = await passwordOwner(ports, input.session)
  if (user === null) return { kind: 'no_password' }
  const found = await problemsOfChoice(ports, input, ownerOf(user))
  const problems = input.current === '' ? (['missing_current', ...found] as const) : found
  if (problems.length > 0) return unfit(problems)
  const account = await ports.userService.canonicalUsername(user.username)
  const { limits } = await passwordAttemptLimits(ports, {
    account,
    knownBrowser: input.knownBrowser,
    address: context.address,
  })
  const attempt = await checkWithinLimits(ports, limits, {
    check: () => ports.passwords.verify(input.current, user.passwordHash, knownCaller),
    isFailure: isRight => !isRight,
  })
  if (attempt.kind === 'limited') return unfit(['limited'], attempt.retryAfterSeconds)
  if (!attempt.result) return wrong(ports, user, context)
  if (input.password.normalize('NFC') === input.current.normalize('NFC')) return unfit(['same'])
  const provenHash = await replacePassword(ports, user, input.password)
  if (provenHash === null) return wrong(ports, user, context)
  const outcome = await reopenSession(ports, input, provenHash, context)
  if (outcome === null) return unfit(['wrong'])
  return { ...outcome, knownBrowser: await markKnownBrowser(ports, input.knownBrowser, { account }) }
}

function wrong(ports: Ports, { subject }: StoredUser, context: RequestContext) {
  const event = { name: 'password_changed', outcome: 'failure', reason: 'wrong_password', subject } as const
  ports.events.record(event, context)
  return unfit(['wrong'])
}

/**
 * Replaces the password. Returns the digest of the new hash; `null` if the password was reset, or the account locked,
 * in the meantime.
 */
async function replacePassword(ports: Ports, user: StoredUser, password: string): Promise<Digest | null> {
  const successor = await ports.passwords.hash(password)
  const hashes = { replaced: user.passwordHash ?? '', successor }
  const notices = await securityNotice(ports, user.subject, 'password_changed')
  const isChosen = await ports.users.choosePassword(user.subject, hashes, { now: ports.clock.now(), notices })
  return isChosen ? ports.hashing.digest(successor) : null
}

/** Opens a session with the time and methods of the earlier sign-in. Returns `null` like `openSession`. */
async function reopenSession(
  ports: Ports,
  { session, previous }: OwnPasswordInput,
  provenHash: Digest,
  context: RequestContext,
): Promise<SignedIn | null> {
  const { subject, idp, amr, acr, name, authenticatedAt, isPersistent, details } = session
  const opening = {
    facts: { subject, idp, amr, acr },
    name,
    remember: isPersistent,
    authenticatedAt,
    previous,
    provenHash,
    details,
  }
  const opened = await openSession(ports, opening, context)
  ports.events.record(
    { name: 'password_changed', outcome: 'success', subject, details: { by: 'account' } },
    context,
  )
  return opened
}
