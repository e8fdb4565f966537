/** The passkeys on the account page of their user. */
import { passkeys as limits } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { RemainingWays } from '#lib/ports/account-links.ts'
import { inSession } from '#lib/ports/change-source.ts'
import type { Passkey } from '#lib/ports/passkeys.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { canStillSignIn } from '../links/own-links.ts'

export type OwnPasskey = Pick<Passkey, 'id' | 'name' | 'aaguid' | 'createdAt' | 'lastUsedAt' | 'isBackedUp'>

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

/** Whether the user could not sign in without a passkey. */
async function needsPasskey(ports: Ports, session: Session): Promise<boolean> {
  const { subject } = session
  const [user, links, mayRemove] = await Promise.all([
    ports.users.findBySubject(subject),
    ports.users.links.list(subject),
    removalRule(ports, session),
  ])
  return !mayRemove(user && { hasPassword: user.passwordHash !== null, links, passkeys: [] })
}

/**
 * Returns the rule that decides whether a passkey may be removed. Users of another user service may have a password there. A session
 * that began with an identity provider exists only as long as the user can sign in there.
 */
async function removalRule({ settings, providers }: Ports, { idp }: Session) {
  const all = await providers.all()
  return (remaining: RemainingWays | null): boolean =>
    idp !== localProvider ||
    remaining === null ||
    remaining.passkeys.some(passkey => passkey.idp === localProvider) ||
    canStillSignIn(settings, all, remaining)
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
  const [notices, mayRemove] = await Promise.all([
    securityNotice(ports, subject, 'passkey_removed'),
    removalRule(ports, session),
  ])
  const change = { notices, keeps, now: ports.clock.now(), within: inSession(session), mayRemove }
  const outcome = await ports.passkeys.remove({ subject, id }, change)
  if (outcome === 'removed')
    ports.events.record({ name: 'passkey_removed', outcome: 'success', subject }, context)
  return outcome
}
