/** Adds the factors of a step-up to a session. */
import { accountCheck } from '#lib/core/sign-in/account-check.ts'
import { assuranceOf, credentialsOf } from '#lib/core/sign-in/proven-sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session, SessionDetails } from '#lib/ports/sessions.ts'
import type { Factor, ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import type { Digest, SessionHandle } from '#lib/protocol/ids.ts'
import { asOther, readBrowserSessions, type SignedIn, wayOf } from './session.ts'
import type { SignInExpired } from './sign-in-outcome.ts'

/** Returns the factors in the form that a session stores. */
export function storedFactors(factors: readonly Factor[]): NonNullable<SessionDetails['factors']> {
  return factors.map(({ methods, at, credential }) => ({
    ...{ methods, kind: credential.kind, at: at.toISOString() },
    ...(credential.kind === 'provider' && credential.hasTwoFactors === true ? { hasTwoFactors: true } : {}),
    ...(credential.kind === 'passkey' ? { passkey: credential.id } : {}),
  }))
}

type Raising = {
  /** The session to which the factors are added. */
  readonly session: Digest
  readonly proven: ProvenSignIn
  readonly previous: readonly SessionHandle[]
}

/**
 * Gives the browser's session a new handle and more factors (SE-02). It keeps its ID, its times and its claims: a further factor
 * does not extend it. `expired`: the session has ended, a different session replaced it, or the factor was removed.
 */
export async function raiseSession(
  ports: Ports,
  { session: raised, proven, previous }: Raising,
): Promise<SignedIn | SignInExpired> {
  const now = ports.clock.now()
  const { own, others } = await readBrowserSessions(ports, previous, proven.subject)
  if (own?.digest !== raised) return { kind: 'expired' }
  const handle = ports.random.handle('session')
  const session = withFactors(own, proven, { digest: ports.hashing.digest(handle), now })
  const conditions = {
    ...credentialsOf(addedFactors(own, proven)),
    account: accountCheck(ports.hashing, null),
  }
  const replacement = await ports.sessions.replace(raised, session, conditions)
  if (replacement !== 'created') return { kind: 'expired' }
  const secondsLeft = Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000)
  const persistSeconds = session.isPersistent ? secondsLeft : null
  return {
    kind: 'signed_in',
    session: handle,
    others: others.map(asOther),
    persistSeconds,
    way: wayOf(session),
    knownBrowser: null,
  }
}

/** Returns the factors that are new. The user may have removed an earlier one in this session. */
function addedFactors({ details: { factors = [] } }: Session, proven: ProvenSignIn): readonly Factor[] {
  const times = new Set(factors.map(({ at }) => at))
  return proven.factors.filter(({ at }) => !times.has(at.toISOString()))
}

function withFactors(
  session: Session,
  proven: ProvenSignIn,
  { digest, now }: { readonly digest: Digest; readonly now: Date },
): Session {
  const { amr } = assuranceOf(proven)
  const details = { ...session.details, factors: storedFactors(proven.factors) }
  return { ...session, digest, amr, lastSeenAt: now, details }
}
