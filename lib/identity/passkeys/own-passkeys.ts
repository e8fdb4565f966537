/** The passkeys on the account page of their user. */
import { passkeys as limits } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'

export type OwnPasskey = Pick<Passkey, 'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'isBackedUp'>

export type OwnPasskeys = {
  readonly passkeys: readonly OwnPasskey[]
  /** Whether the user has no other way to sign in, so that one passkey stays. */
  readonly keepsOne: boolean
}

export async function ownPasskeys(ports: Ports, session: Session): Promise<OwnPasskeys> {
  const [passkeys, keepsOne] = await Promise.all([
    ports.passkeys.allOf(session.subject),
    needsPasskey(ports, session),
  ])
  return { passkeys, keepsOne }
}

/**
 * Whether the user has neither a usable password nor an identity provider. Users of another user service may have a password
 * there.
 */
async function needsPasskey({ users, settings }: Ports, { subject, idp }: Session): Promise<boolean> {
  if (idp !== localProvider) return false
  const user = await users.findBySubject(subject)
  return user !== null && (user.passwordHash === null || !settings.localLogin)
}

/** Renames a passkey of the user. Returns false if there is no such passkey, or the name has no visible character. */
export async function renamePasskey(
  { passkeys }: Pick<Ports, 'passkeys'>,
  { subject }: Session,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const shown = displayText(name, limits.nameCharacters)
  return shown !== '' && passkeys.rename(subject, id, shown)
}

/**
 * Removes a passkey of the user, who is informed by mail. Sessions elsewhere that began with it end: the user may have lost the
 * device, on which someone else could still be signed in. `last`: the user has no other way to sign in.
 */
export async function removePasskey(
  ports: Ports,
  { session, id }: { readonly session: Session; readonly id: string },
  context: RequestContext,
): Promise<'removed' | 'unknown' | 'last'> {
  const { subject, sessionId: keeps } = session
  const notices = await securityNotice(ports, subject, 'passkey_removed')
  const keepsOne = await needsPasskey(ports, session)
  const now = ports.clock.now()
  const outcome = await ports.passkeys.remove({ subject, id, keepsOne }, { notices, keeps, now })
  if (outcome === 'removed')
    ports.events.record({ name: 'passkey_removed', outcome: 'success', subject }, context)
  return outcome
}
