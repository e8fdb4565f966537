/**
 * A sign-in that the user service or `postAuthenticate` interrupted: only the interrupted browser can continue it, once and in
 * time. A temporary password interrupts every sign-in.
 */
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialDetails, PartialSignIn } from '#lib/ports/sessions.ts'
import type { Authentication, StoredUser } from '#lib/ports/users.ts'
import { passwordHashDigest } from '#lib/ports/users.ts'
import type { BrowserHandle, Handle, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import {
  authenticateActive,
  finishSignIn,
  partialDetailsPlace,
  type ReturningSignInOutcome,
  type SignInContext,
} from './finish-sign-in.ts'
import { hintsOf, openPending } from './interaction.ts'

export type PartialReturn = PartialProof & { readonly previous: SessionHandle | null }

/** Records the event, because the page shows its request ID. */
export function expiredPartial(ports: Ports, context: RequestContext) {
  ports.events.record({ name: 'sign_in_failed', outcome: 'failure', reason: 'request_expired' }, context)
  return { kind: 'expired', pending: null } as const
}

/**
 * Calls what interrupted again: the user service or `postAuthenticate`. It can accept the user, interrupt once more (with a new
 * handle), or refuse. The handle works once, and only in the interrupted browser. A user with a temporary password must first
 * choose a new one; nothing is called.
 */
export async function completePartialSignIn(
  ports: Ports,
  input: PartialReturn,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const partial = await findPendingPartial(ports, input)
  if (partial === null || input.partial === null) return expiredPartial(ports, context)
  const { row, pending, browser } = partial
  if ((await userWithTemporaryPassword(ports, partial)) !== null)
    return { kind: 'partial', path: newPasswordPath, partial: input.partial, browser, pending }
  // Taken before anything is called, so that only one of two concurrent returns creates a session.
  if (!(await ports.partialSignIns.take(row.digest))) return expiredPartial(ports, context)
  const authentication = await completed(ports, partial)
  const signInContext = signInContextOf(partial, input.previous)
  return { ...(await finishSignIn(ports, authentication, signInContext, context)), pending }
}

/** `finishSignIn` calls `postAuthenticate` for a user whom the user service had accepted. */
async function completed(
  { userService }: Pick<Ports, 'userService'>,
  { row: { subject }, details: { accepted }, interaction }: PendingPartial,
): Promise<Authentication> {
  return accepted === undefined
    ? userService.completePartial(subject, hintsOf(interaction))
    : authenticateActive({ userService }, { subject, ...accepted })
}

/** What proves that this browser was interrupted. */
export type PartialProof = {
  readonly partial: Handle<'partial'> | null
  readonly browser: BrowserHandle | null
}

export type PendingPartial = {
  readonly row: PartialSignIn
  readonly browser: BrowserHandle
  readonly pending: PendingHandle | null
  readonly interaction: PendingInteraction | null
  readonly details: PartialDetails
}

/**
 * `null` if it expired, was completed, or belongs to another browser, if the password that started it was replaced or can no
 * longer be used here, or if its pending request has ended.
 */
export async function findPendingPartial(
  ports: Ports,
  { partial, browser }: PartialProof,
): Promise<PendingPartial | null> {
  if (partial === null || browser === null) return null
  const digest = ports.hashing.digest(partial)
  const row = await ports.partialSignIns.find(digest, ports.hashing.digest(browser), ports.clock.now())
  if (row === null || !(await isStillProven(ports, row))) return null
  if (row.idp === localProvider && !ports.settings.localLogin) return null
  const pending = openPending(ports, row.sealedPending, `partial_sign_ins:pending:${digest}`)
  const interaction = await findInteraction(ports, pending, browser)
  if (pending !== null && interaction === null) return null
  return { row, browser, pending, interaction, details: openDetails(ports, row) }
}

/** Throws if the stored value was altered or moved. */
function openDetails(
  { sealing }: Pick<Ports, 'sealing'>,
  { digest, sealedDetails }: PartialSignIn,
): PartialDetails {
  return sealedDetails === null ? {} : JSON.parse(sealing.open(sealedDetails, partialDetailsPlace(digest)))
}

/** SE-06: a new password ends interrupted sign-ins. This detects one that was stored a moment later. */
async function isStillProven(
  { users, hashing }: Ports,
  { subject, provenHash }: PartialSignIn,
): Promise<boolean> {
  if (provenHash === null) return true
  const account = await users.findBySubject(subject)
  return account !== null && passwordHashDigest(hashing, account) === provenHash
}

/** For `finishSignIn`. */
export function signInContextOf(
  { row, browser, pending, interaction, details }: PendingPartial,
  previous: SignInContext['previous'],
): SignInContext {
  const { idp, remember, authenticatedAt, provenHash } = row
  const hints = hintsOf(interaction)
  const { idToken = null, providerClaims = null, accepted } = details
  return {
    idp,
    remember,
    authenticatedAt,
    hints,
    provenHash,
    pending,
    browser,
    previous,
    external: { claims: providerClaims, idToken },
    ...(accepted === undefined ? {} : { returnedFrom: accepted.path }),
  }
}

/** A user with a temporary password, which an admin set. It only allows choosing a new one. */
export type TemporaryPasswordUser = StoredUser & { readonly passwordHash: string }

/** The user whose sign-in waits for a new password; `null` if it waits for something else, or the user was deleted. */
export async function userWithTemporaryPassword(
  { users }: Pick<Ports, 'users'>,
  { row: { idp, subject }, details }: PendingPartial,
): Promise<TemporaryPasswordUser | null> {
  if (idp !== localProvider || details.accepted !== undefined) return null
  const user = await users.findBySubject(subject)
  if (user === null || !user.mustChangePassword || user.passwordHash === null) return null
  return { ...user, passwordHash: user.passwordHash }
}
