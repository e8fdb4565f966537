/** Decides again about a user who has already proven something: by the user service, or from its earlier decision. */
import { hintsWithFields } from '#lib/core/sign-in/proven-sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'

/**
 * Asks the user service again when the user returns from the page that it required. If the service has already accepted the
 * user, the account only has to be active.
 */
export async function decideAgain(
  ports: Ports,
  { subject, userService: verdict, factors, fields, returnedFrom }: ProvenSignIn,
  hints: SignInHints,
): Promise<Authentication> {
  if (verdict.kind === 'accepted')
    return authenticateActive(ports, { subject, ...verdict, amr: factors[0].methods })
  // A step before the page of the user service has ended: `completePartial` would take it for a return from that page
  const hasReturned = Object.values(returnedFrom).includes(localPath(verdict.path, ''))
  if (!hasReturned) return { ...verdict, kind: 'partial', subject }
  return ports.userService.completePartial(subject, hintsWithFields(hints, fields))
}

/**
 * Returns the result for a user whom the user service need not authenticate (again): the account only has to be active.
 */
export async function authenticateActive(
  { userService }: Pick<Ports, 'userService'>,
  { subject, name, amr, acr }: Omit<Extract<Authentication, { kind: 'full' }>, 'kind'>,
): Promise<Authentication> {
  if (await userService.isActive(subject)) return { kind: 'full', subject, name, amr, acr }
  return { kind: 'refused', message: null, cause: { reason: 'account_disabled', subject } }
}
