/** The last step that all ways of signing in share: the user service's answer becomes a session, a pause or a refusal. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Authentication, RefusalCause } from '#lib/ports/users.ts'
import type { BrowserHandle, ClientId, Digest, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { sealPending } from './sealed-pending.ts'
import { openSession } from './session.ts'
import type { PartiallySignedIn, SignedIn, SignInOutcome, SignInRefused } from './sign-in-outcome.ts'

/** How the person came here, whatever the user service says next. */
export type Arrival = {
  /** `localProvider`, or the scheme of the provider that vouched. */
  readonly idp: string
  readonly remember: boolean
  /** When a provider says it happened; `null`: now. */
  readonly authenticatedAt: Date | null
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly previous: SessionHandle | null
  readonly clientId: ClientId | null
  /** What a sign-in proved that was interrupted before. */
  readonly provenHash: Digest | null
}

/** Acts on an authentication. The caller adds the device mark; a refusal is recorded here, with its cause. */
export async function finishSignIn(
  ports: Ports,
  authentication: Authentication,
  arrival: Arrival,
  context: RequestContext,
): Promise<SignInOutcome> {
  switch (authentication.kind) {
    case 'full':
      return signInFully(ports, authentication, arrival, context)
    case 'partial':
      return interrupt(ports, authentication, arrival, context)
    case 'refused':
      return refuse(ports, authentication, arrival, context)
  }
}

async function signInFully(
  ports: Ports,
  authentication: Extract<Authentication, { kind: 'full' }>,
  arrival: Arrival,
  context: RequestContext,
): Promise<SignedIn | SignInRefused<'credentials' | 'account_refused' | 'message'>> {
  const { subject, name, acr, provenHash = arrival.provenHash } = authentication
  const facts = { subject, acr, idp: arrival.idp, amr: methods(authentication.amr, arrival.idp) }
  const { remember, previous, authenticatedAt } = arrival
  const opening = { facts, name, remember, previous, authenticatedAt, provenHash }
  const opened = await openSession(ports, opening, context)
  if (opened === null) {
    const cause = { reason: 'account_changed', subject } as const
    return refuse(ports, { kind: 'refused', message: null, cause }, arrival, context)
  }
  ports.events.record(
    {
      name: 'sign_in_succeeded',
      outcome: 'success',
      subject,
      ...about(ports, arrival, { remember, method: methodOf(facts.amr) }),
    },
    context,
  )
  return { kind: 'signed_in', session: opened.handle, persistSeconds: opened.persistSeconds, device: null }
}

/** IdentityServer3: whoever came from a provider carries the method `external`. */
function methods(amr: readonly string[], idp: string): readonly string[] {
  return idp === localProvider ? amr : [...new Set([...amr, 'external'])]
}

/** Keeps what is proven so far on the server and sends the person to the page that the user service named. */
async function interrupt(
  ports: Ports,
  authentication: Extract<Authentication, { kind: 'partial' }>,
  arrival: Arrival,
  context: RequestContext,
): Promise<PartiallySignedIn> {
  const { subject, reason, provenHash = arrival.provenHash } = authentication
  const path = localPath(authentication.path, '')
  if (path === '') throw new OauthError('partial_path_leaves_this_origin')
  const browser = arrival.browser ?? ports.random.handle('browser')
  const partial = ports.random.handle('partial')
  const digest = ports.hashing.digest(partial)
  await ports.partialSignIns.create({
    digest,
    browser: ports.hashing.digest(browser),
    subject,
    idp: arrival.idp,
    amr: methods([], arrival.idp),
    authenticatedAt: arrival.authenticatedAt,
    sealedPending: sealPending(ports, arrival.pending, `partial_sign_ins:pending:${digest}`),
    provenHash,
    remember: arrival.remember,
    expiresAt: secondsAfter(ports.clock.now(), lifetimeSeconds.partialSignIn),
  })
  ports.events.record(
    {
      name: 'sign_in_partial',
      outcome: 'success',
      subject,
      ...(reason === undefined ? {} : { reason }),
      ...about(ports, arrival, {}),
    },
    context,
  )
  return { kind: 'partial', path, partial, browser }
}

/** All wrong credentials get the same answer. After a provider proved who the user is, the account itself is refused. */
function refuse(
  ports: Ports,
  { message, cause }: Extract<Authentication, { kind: 'refused' }>,
  arrival: Arrival,
  context: RequestContext,
): SignInRefused<'credentials' | 'account_refused' | 'message'> {
  recordRefusal(ports, cause ?? { reason: 'user_service_refused' }, arrival, context)
  if (message !== null) return { kind: 'refused', why: 'message', message, retryAfterSeconds: 0 }
  const why = arrival.idp === localProvider ? 'credentials' : 'account_refused'
  return { kind: 'refused', why, message: null, retryAfterSeconds: 0 }
}

/** Nobody signed in, and why. */
export function recordRefusal(
  ports: Ports,
  cause:
    | RefusalCause
    | { readonly reason: 'user_service_refused' | 'request_expired' | 'local_login_disabled' },
  arrival: Arrival,
  context: RequestContext,
): void {
  const event = { name: 'sign_in_failed', outcome: 'failure', ...cause } as const
  ports.events.record({ ...event, ...about(ports, arrival, {}) }, context)
}

/** The first reference says how (RFC 8176); a provider's vouching counts before what it saw. */
function methodOf(amr: readonly string[]): string {
  return amr.includes('external') ? 'external' : (amr[0] ?? 'other')
}

/** What all events of one arrival share. */
export function about(
  { hashing }: Pick<Ports, 'hashing'>,
  arrival: Pick<Arrival, 'clientId' | 'pending' | 'idp'>,
  details: Readonly<Record<string, boolean | string | number>>,
) {
  return {
    ...(arrival.clientId === null ? {} : { clientId: arrival.clientId }),
    ...(arrival.pending === null ? {} : { flow: flowOf(hashing.digest(arrival.pending)) }),
    details: { idp: arrival.idp, ...details },
  }
}
