/** The names with which authenticators show a user, and the data of the Signal API (Web Authentication Level 3, 5.1.10). */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { accountLabel } from '../account.ts'
import type { OwnPasskeys } from './own-passkeys.ts'
import { userHandleOf } from './user-handle.ts'

/** Returns a name that distinguishes accounts, and the display name. */
export async function passkeyNames(ports: Ports, session: Pick<Session, 'idp' | 'subject' | 'name'>) {
  return { username: await accountLabel(ports, session), displayName: session.name }
}

/** The data about the passkeys of the signed-in user. */
export type PasskeySignals = {
  readonly accepted: {
    readonly rpId: string
    readonly userId: string
    readonly allAcceptedCredentialIds: readonly string[]
  }
  readonly details: {
    readonly rpId: string
    readonly userId: string
    readonly name: string
    readonly displayName: string
  }
}

export type UnknownPasskey = { readonly rpId: string; readonly credentialId: string }

/**
 * Returns what the browser passes on about a passkey that this server does not know; `null` if other sites may use the RP ID: the
 * passkey may be of one of them, and credential managers would hide it.
 */
export function unknownPasskeySignal(
  { relyingParty }: Pick<Ports['settings'], 'relyingParty'>,
  credentialId: string,
): UnknownPasskey | null {
  const isOwn = relyingParty.kind === 'on' && relyingParty.isShared !== true
  return isOwn ? { rpId: relyingParty.id, credentialId } : null
}

/** Returns what the browser passes on to credential managers; `null` if there are no passkeys at this address. */
export async function passkeySignals(
  ports: Ports,
  session: Session,
  { passkeys }: Pick<OwnPasskeys, 'passkeys'>,
): Promise<PasskeySignals | null> {
  const { relyingParty } = ports.settings
  if (relyingParty.kind === 'off') return null
  const { username: name, displayName } = await passkeyNames(ports, session)
  const user = { rpId: relyingParty.id, userId: userHandleOf(ports.hashing, session.subject) }
  return {
    accepted: { ...user, allAcceptedCredentialIds: passkeys.map(({ id }) => id) },
    details: { ...user, name, displayName },
  }
}
