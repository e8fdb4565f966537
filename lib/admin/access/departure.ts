/** What the dashboard must remember between sending an admin away to sign in and meeting them again. */
import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { adminCallback, adminClientId } from './built-in.ts'

const place = 'admin:departure:cookie'

const departureSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  back: z.string(),
  startedAt: z.number(),
})

export type Departure = z.infer<typeof departureSchema>

type DeparturePorts = Pick<Ports, 'random' | 'hashing' | 'sealing' | 'clock' | 'settings'>

type Leaving = {
  readonly back: string | null
  readonly isStepUp: boolean
  /** The user name of who is there already. */
  readonly loginHint: string | null
}

/**
 * Leaves for the authorization endpoint like any app: code, PKCE, state and nonce. `sealed` goes into a cookie of this
 * browser. `isStepUp`: however fresh the session is, the admin proves again who they are (AD-04).
 */
export function depart(
  ports: DeparturePorts,
  { back, isStepUp, loginHint }: Leaving,
): { readonly sealed: string; readonly location: string } {
  const departure: Departure = {
    state: ports.random.id(),
    nonce: ports.random.id(),
    verifier: ports.random.id() + ports.random.id(),
    back: adminPath(back),
    startedAt: ports.clock.now().getTime(),
  }
  const query = new URLSearchParams({
    client_id: adminClientId,
    redirect_uri: adminCallback(ports.settings.issuer),
    response_type: 'code',
    scope: 'openid',
    state: departure.state,
    nonce: departure.nonce,
    code_challenge: ports.hashing.digest(departure.verifier),
    code_challenge_method: 'S256',
    max_age: String(adminSession.entrySeconds),
    ...(isStepUp ? { prompt: 'login' } : {}),
    ...(loginHint === null ? {} : { login_hint: loginHint }),
  })
  return {
    sealed: ports.sealing.seal(JSON.stringify(departure), place),
    location: `/connect/authorize?${query}`,
  }
}

/** `null` when it is not ours, was altered, or is too old. */
export function readDeparture(ports: DeparturePorts, sealed: string | null): Departure | null {
  if (sealed === null) return null
  const departure = departureSchema.safeParse(opened(ports, sealed))
  if (!departure.success) return null
  const startedAt = new Date(departure.data.startedAt)
  return secondsAfter(startedAt, adminSession.departureSeconds) > ports.clock.now() ? departure.data : null
}

function opened({ sealing }: DeparturePorts, sealed: string): unknown {
  try {
    return JSON.parse(sealing.open(sealed, place))
  } catch {
    // Not sealed by us: as good as none
    return null
  }
}

/** Only pages of the dashboard; anything else leads to its overview (WF-07). */
export function adminPath(path: string | null): string {
  const local = localPath(path, '/admin')
  return /^\/admin(\/(?!sign-in|callback|sign-out|do\/)|\?|$)/.test(local) ? local : '/admin'
}
