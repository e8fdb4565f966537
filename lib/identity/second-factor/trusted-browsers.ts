/**
 * Browsers in which a user need not prove a second factor for some time. The trust is not a factor. Each user of a browser has
 * a separate handle, so that a handle that one user copies is not trusted for the next one.
 */
import { lifetimeSeconds, secondFactors as limits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { AuthenticatorApp } from '#lib/ports/second-factors.ts'
import type { ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import type { Digest, TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

/**
 * Returns the trust of the user of the sign-in in this browser; `null`: none. Confirming the identity, and linking an identity,
 * always need the factor itself.
 */
export async function findTrust(
  { trustedBrowsers, hashing, clock }: Ports,
  { subject, trustedBrowsers: handles = [], confirms, links }: ProvenSignIn,
): Promise<Digest | null> {
  if (handles.length === 0 || confirms !== undefined || links !== undefined) return null
  return trustedBrowsers.use(handles.map(hashing.digest), subject, clock.now())
}

type Trusting = {
  /** The authenticator app of the subject, as it was read to verify the factor. */
  readonly app: AuthenticatorApp
  readonly handles: readonly TrustedBrowserHandle[]
}

/** A trust that was stored. `handles`: the new value of the cookie. `id` names the row. */
export type Trust = { readonly id: string; readonly handles: readonly TrustedBrowserHandle[] }

/** Trusts this browser for the subject, in place of an earlier trust; `null`: the subject no longer has the app. */
export async function trustBrowser(
  { trustedBrowsers, random, hashing, clock }: Ports,
  { app, handles }: Trusting,
  { userAgent, address }: RequestContext,
): Promise<Trust | null> {
  const { subject } = app
  const handle = random.handle('trustedBrowser')
  const now = clock.now()
  const id = random.id()
  const browser = {
    ...{ id, digest: hashing.digest(handle), subject, address, userAgent },
    ...{ createdAt: now, lastUsedAt: now, expiresAt: secondsAfter(now, lifetimeSeconds.trustedBrowser) },
  }
  if (!(await trustedBrowsers.add(browser, handles.map(hashing.digest), app))) return null
  return { id, handles: [handle, ...handles].slice(0, limits.trustedUsers) }
}
