/**
 * The fresh sign-in before a sensitive change of the user's own account, such as adding or removing a factor (MF-04). It must
 * be recent, and must include the strongest factor that the user has.
 */
import { freshSignInSeconds } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session, SessionDetails } from '#lib/ports/sessions.ts'
import type { Credential } from '#lib/ports/sign-in-steps.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { accountNames } from './account.ts'
import { providerName } from './external-provider.ts'
import { passwordOwner } from './own-password.ts'
import { usablePasskeys } from './passkeys/usable-passkeys.ts'

type StoredFactor = NonNullable<SessionDetails['factors']>[number]

/** The strength of each factor. A credential that was sent by mail must get 0: it never makes a sign-in fresh. */
const strengths: Readonly<Record<Credential['kind'], number>> = {
  password: 1,
  provider: 1,
  extension: 1,
  totp: 2,
  recovery_code: 2,
  passkey: 3,
}

/**
 * Whether the session has a recent enough factor that is as strong as the strongest one of the user. Sessions of earlier
 * versions have no factors, and are not fresh.
 */
export async function hasFreshSignIn(
  ports: Pick<Ports, 'settings' | 'clock' | 'passkeys' | 'secondFactors'>,
  session: Pick<Session, 'subject' | 'details'>,
): Promise<boolean> {
  const since = secondsAfter(ports.clock.now(), -freshSignInSeconds)
  const recent = (session.details.factors ?? []).filter(({ at }) => new Date(at) > since).map(strengthOf)
  const strength = Math.max(0, ...recent)
  return strength > 0 && strength >= strengths[await strongestFactor(ports, session)]
}

/** Two factors at a provider, if the operator accepts them as such, are as strong as a code: the sign-in asks for none. */
function strengthOf({ kind, hasTwoFactors }: StoredFactor): number {
  if (kind === undefined) return 0
  return hasTwoFactors === true ? strengths.totp : strengths[kind]
}

/** Returns the strongest factor that the user can use here; `password` also stands for an identity provider. */
async function strongestFactor(
  ports: Pick<Ports, 'settings' | 'passkeys' | 'secondFactors'>,
  { subject }: Pick<Session, 'subject'>,
): Promise<'passkey' | 'totp' | 'password'> {
  if ((await usablePasskeys(ports, subject)).length > 0) return 'passkey'
  return (await ports.secondFactors.findApp(subject)) === null ? 'password' : 'totp'
}

/**
 * Whether the user may open the page that changes the password. Its form asks for the current password, which is enough for a
 * user without a stronger factor; a user without a password has nothing to confirm.
 */
export async function mayChangePassword(ports: Ports, session: Session): Promise<boolean> {
  if ((await passwordOwner(ports, session)) === null) return true
  return (await strongestFactor(ports, session)) === 'password' || (await hasFreshSignIn(ports, session))
}

/** The way in which a signed-in user confirms the identity. */
export type Confirmation = {
  readonly name: string
  /** The user name; `null` if this server does not know it. */
  readonly username: string | null
  readonly way:
    | { readonly kind: 'passkey' }
    | { readonly kind: 'password' }
    | { readonly kind: 'provider'; readonly scheme: string; readonly name: string }
    /** Local sign-in, or the provider, was disabled after the user signed in. */
    | { readonly kind: 'none' }
}

/** Returns how the user of the session confirms the identity. Later factors are asked for by the steps of the sign-in. */
export async function confirmationOf(ports: Ports, session: Session): Promise<Confirmation> {
  const { username } = await accountNames(ports, session)
  return { name: session.name, username, way: await firstWay(ports, session) }
}

async function firstWay(ports: Ports, session: Session): Promise<Confirmation['way']> {
  if ((await strongestFactor(ports, session)) === 'passkey') return { kind: 'passkey' }
  const { idp } = session
  if (idp === localProvider) return { kind: ports.settings.localLogin ? 'password' : 'none' }
  const name = await providerName(ports, idp)
  return name === null ? { kind: 'none' } : { kind: 'provider', scheme: idp, name }
}
