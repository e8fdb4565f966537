/**
 * “I lost my passkeys”: a user with a password and an authenticator app, who can no longer sign in with a passkey, has the
 * passkeys removed after some days. Until then, each use of a passkey ends it.
 */
import { freshSignInSeconds, lostPasskeys as limits } from '#lib/config/limits.ts'
import { mailboxOf, securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { inSession } from '#lib/ports/change-source.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { usablePasskeys } from './usable-passkeys.ts'

const kind = 'remove_passkeys'

type LostPasskeyPorts = Pick<
  Ports,
  'settings' | 'clock' | 'passkeys' | 'secondFactors' | 'mail' | 'userService'
>

/**
 * Whether the user can report the passkeys as lost: with a password of this server, an authenticator app, and a verified address.
 * Without a mail, an attacker with password and app could remove the passkeys of a user who does not notice.
 */
export async function canLosePasskeys(ports: LostPasskeyPorts, { subject, idp }: Session): Promise<boolean> {
  if (idp !== localProvider || !ports.settings.localLogin) return false
  if ((await usablePasskeys(ports, subject)).length === 0) return false
  if ((await ports.secondFactors.findApp(subject)) === null) return false
  return (await mailboxOf(ports, subject)) !== null
}

/** Whether the session has a recent password, and a recent code of the app or recovery code. */
export function hasTwoRecentFactors({ clock }: Pick<Ports, 'clock'>, { details }: Session): boolean {
  const since = secondsAfter(clock.now(), -freshSignInSeconds)
  const recent = new Set(
    (details.factors ?? []).filter(({ at }) => new Date(at) > since).map(({ kind }) => kind),
  )
  return recent.has('password') && (recent.has('totp') || recent.has('recovery_code'))
}

/** Returns the planned removal of the passkeys; `null` if there is none, or a passkey was used since. */
export async function plannedRemoval(
  { plannedChanges }: Pick<Ports, 'plannedChanges'>,
  subject: SubjectId,
): Promise<PlannedChange | null> {
  return (await plannedChanges.allOf(subject)).find(change => change.kind === kind) ?? null
}

/** Plans the removal of the passkeys, of which the user is informed by mail. Returns false if the user may not. */
export async function reportLostPasskeys(
  ports: Ports,
  session: Session,
  context: RequestContext,
): Promise<boolean> {
  if (!hasTwoRecentFactors(ports, session) || !(await canLosePasskeys(ports, session))) return false
  const { subject } = session
  const createdAt = ports.clock.now()
  const dueAt = secondsAfter(createdAt, limits.waitDays * 86_400)
  const notices = await securityNotice(ports, subject, 'passkeys_lost')
  if (await ports.plannedChanges.plan({ subject, kind, createdAt, dueAt }, notices, inSession(session)))
    ports.events.record({ name: 'lost_passkeys_reported', outcome: 'success', subject }, context)
  return true
}

/** Keeps the passkeys. Any session of the user can do so. */
export async function cancelLostPasskeys(
  { plannedChanges, events }: Pick<Ports, 'plannedChanges' | 'events'>,
  { subject }: Session,
  context: RequestContext,
): Promise<void> {
  if (await plannedChanges.cancel({ subject, kind }, []))
    events.record({ name: 'lost_passkeys_kept', outcome: 'success', subject }, context)
}
