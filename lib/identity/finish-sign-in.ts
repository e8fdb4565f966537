/** The last step of every sign-in: the user service's result becomes a session, an interruption or a refusal. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { callPostAuthenticateHook } from '#lib/core/hooks/hooks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialDetails } from '#lib/ports/sessions.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import { type Claims, withoutReserved } from '#lib/protocol/claims.ts'
import type {
  BrowserHandle,
  Digest,
  Handle,
  PendingHandle,
  ProviderScheme,
  SessionHandle,
  SubjectId,
} from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { sealPending } from './interaction.ts'
import { openSession, type SignedIn } from './session.ts'

/** What is known about a sign-in before the user service decides. */
export type SignInContext = {
  /** `localProvider`, or the scheme of the provider that authenticated the user. */
  readonly idp: string
  readonly remember: boolean
  /** The time that the provider reported; `null`: now. */
  readonly authenticatedAt: Date | null
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly previous: SessionHandle | null
  readonly hints: SignInHints
  /** What a provider sent: its claims, for the hooks, and its ID token, if the sign-out there needs it. */
  readonly external: { readonly claims: Claims | null; readonly idToken: string | null } | null
  /** The password hash that an interrupted sign-in proved, as a digest. */
  readonly provenHash: Digest | null
  /** See `PostAuthenticateRequest`. */
  readonly returnedFrom?: string
}

/** Of a sign-in that no identity provider took part in. */
export const localSignIn = {
  idp: localProvider,
  authenticatedAt: null,
  provenHash: null,
  external: null,
} as const

type FullAuthentication = Extract<Authentication, { kind: 'full' }>
type PartialAuthentication = Extract<Authentication, { kind: 'partial' }>

export function partialDetailsPlace(digest: Digest): string {
  return `partial_sign_ins:details:${digest}`
}

/** Of a user whom the user service need not authenticate (again): the account only has to be active. */
export async function authenticateActive(
  { userService }: Pick<Ports, 'userService'>,
  { subject, name, amr, acr }: Omit<FullAuthentication, 'kind'>,
): Promise<Authentication> {
  if (await userService.isActive(subject)) return { kind: 'full', subject, name, amr, acr }
  return { kind: 'refused', message: null, cause: { reason: 'account_disabled', subject } }
}

/** The caller adds the mark of the known browser. A refusal is recorded here, with its cause. */
export async function finishSignIn(
  ports: Ports,
  authentication: Authentication,
  signInContext: SignInContext,
  context: RequestContext,
): Promise<SignInOutcome> {
  switch (authentication.kind) {
    case 'full':
      return signInFully(ports, authentication, signInContext, context)
    case 'partial':
      return interrupt(ports, authentication, signInContext, context)
    case 'refused':
      return refuse(ports, authentication, signInContext, context)
  }
}

async function signInFully(
  ports: Ports,
  authentication: FullAuthentication,
  signInContext: SignInContext,
  context: RequestContext,
): Promise<SignedIn | PartiallySignedIn | SignInRefused<'credentials' | 'account_refused' | 'message'>> {
  const { subject, name, acr, provenHash = signInContext.provenHash, account } = authentication
  const { idp, remember, previous, authenticatedAt, returnedFrom = null } = signInContext
  const facts = { subject, acr, idp, amr: methods(authentication.amr, idp) }
  const { hints, external } = signInContext
  const providerClaims = external?.claims ?? null
  const complete = { ...facts, ...hints, name, providerClaims, returnedFrom, via: 'browser' } as const
  const verdict = await callPostAuthenticateHook(ports, complete, context)
  if (verdict.kind === 'partial') {
    const { path } = verdict
    const accepted = { name, amr: authentication.amr, acr, path }
    const reason = 'post_authenticate_partial'
    const partial = { kind: 'partial', subject, path, provenHash, reason, accepted } as const
    return interrupt(ports, partial, signInContext, context)
  }
  if (verdict.kind === 'refused') {
    const cause = { reason: 'post_authenticate_refused', subject } as const
    return refuse(ports, { ...verdict, cause }, signInContext, context)
  }
  const details = {
    ...(verdict.claims === undefined ? {} : { claims: withoutReserved(verdict.claims) }),
    ...sealedIdToken(ports, signInContext, subject),
  }
  const opening = { facts, name, remember, previous, authenticatedAt, provenHash, account, details }
  const opened = await openSession(ports, opening, context)
  if (opened === null) {
    const cause = { reason: 'account_changed', subject } as const
    return refuse(ports, { kind: 'refused', message: null, cause }, signInContext, context)
  }
  const fields = eventFields(ports, signInContext, { idp, remember, method: methodOf(facts.amr) })
  ports.events.record({ name: 'sign_in_succeeded', outcome: 'success', subject, ...fields }, context)
  return opened
}

/** It belongs to the user, because a session can get another digest. */
export function idTokenPlace(subject: SubjectId): string {
  return `sessions:id_token:${subject}`
}

function sealedIdToken({ sealing }: Pick<Ports, 'sealing'>, { external }: SignInContext, subject: SubjectId) {
  const idToken = external?.idToken ?? null
  return idToken === null ? {} : { sealedIdToken: sealing.seal(idToken, idTokenPlace(subject)) }
}

/** As in IdentityServer3, `amr` of a user who signed in at a provider contains `external`. */
function methods(amr: readonly string[], idp: string): readonly string[] {
  return idp === localProvider ? amr : [...new Set([...amr, 'external'])]
}

type Interruption = Omit<PartialAuthentication, 'provenHash' | 'reason'> & {
  readonly provenHash?: Digest | null
  readonly reason?: PartialAuthentication['reason'] | 'post_authenticate_partial'
} & Pick<PartialDetails, 'accepted'>

/** Stores what is proven so far and sends the user to the page that the user service or `postAuthenticate` named. */
async function interrupt(
  ports: Ports,
  authentication: Interruption,
  signInContext: SignInContext,
  context: RequestContext,
): Promise<PartiallySignedIn> {
  const { idp, remember, authenticatedAt, pending } = signInContext
  const { subject, reason, provenHash = signInContext.provenHash } = authentication
  const path = localPath(authentication.path, '')
  if (path === '') throw new OauthError('partial_path_leaves_this_origin')
  const browser = signInContext.browser ?? ports.random.handle('browser')
  const partial = ports.random.handle('partial')
  const digest = ports.hashing.digest(partial)
  await ports.partialSignIns.create({
    digest,
    browser: ports.hashing.digest(browser),
    subject,
    idp,
    amr: methods([], idp),
    authenticatedAt,
    sealedPending: sealPending(ports, pending, `partial_sign_ins:pending:${digest}`),
    provenHash,
    sealedDetails: sealedDetails(ports, partialDetails(ports, authentication, signInContext), digest),
    remember,
    expiresAt: secondsAfter(ports.clock.now(), lifetimeSeconds.partialSignIn),
  })
  const cause = reason === undefined ? {} : { reason }
  const fields = eventFields(ports, signInContext, { idp })
  ports.events.record({ name: 'sign_in_partial', outcome: 'success', subject, ...cause, ...fields }, context)
  return { kind: 'partial', path, partial, browser }
}

/** The claims of a provider are at most `claimLimits.userBytes`, and are kept only if a hook will read them. */
function partialDetails(
  { hooks }: Pick<Ports, 'hooks'>,
  { accepted }: Interruption,
  { external }: SignInContext,
): PartialDetails {
  const { idToken, claims } = external ?? { idToken: null, claims: null }
  return {
    ...(idToken === null ? {} : { idToken }),
    ...(claims === null || hooks.postAuthenticate === undefined ? {} : { providerClaims: claims }),
    ...(accepted === undefined ? {} : { accepted }),
  }
}

function sealedDetails(
  { sealing }: Pick<Ports, 'sealing'>,
  details: PartialDetails,
  digest: Digest,
): string | null {
  if (Object.keys(details).length === 0) return null
  return sealing.seal(JSON.stringify(details), partialDetailsPlace(digest))
}

/** All wrong credentials get the same answer. After it is proved who the user is, the account itself is refused. */
function refuse(
  ports: Ports,
  { message, cause }: Extract<Authentication, { kind: 'refused' }>,
  signInContext: SignInContext,
  context: RequestContext,
): SignInRefused<'credentials' | 'account_refused' | 'message'> {
  recordRefusal(ports, cause ?? { reason: 'user_service_refused' }, signInContext, context)
  if (message !== null) return { ...refused('message'), message }
  const isProven =
    signInContext.idp !== localProvider ||
    signInContext.returnedFrom !== undefined ||
    cause?.reason === 'post_authenticate_refused'
  return refused(isProven ? 'account_refused' : 'credentials')
}

/** Records why a sign-in failed. */
export function recordRefusal(
  ports: Ports,
  cause: { readonly reason: Reason; readonly subject?: SubjectId },
  signInContext: SignInContext,
  context: RequestContext,
): void {
  const event = { name: 'sign_in_failed', outcome: 'failure', ...cause } as const
  ports.events.record({ ...event, ...eventFields(ports, signInContext, { idp: signInContext.idp }) }, context)
}

/** RFC 8176: the first method, except that `external` precedes the methods that the provider reported. */
function methodOf(amr: readonly string[]): string {
  return amr.includes('external') ? 'external' : (amr[0] ?? 'other')
}

/** The fields that all events of one sign-in have. */
export function eventFields(
  { hashing }: Pick<Ports, 'hashing'>,
  { hints, pending }: Pick<SignInContext, 'hints' | 'pending'>,
  details: Readonly<Record<string, boolean | string | number | null>>,
) {
  return {
    ...(hints.client === null ? {} : { clientId: hints.client.clientId }),
    ...(pending === null ? {} : { flow: flowOf(hashing.tokenDigest(pending)) }),
    details,
  }
}

/** The user must first visit `path` on this origin and then `/login/return?partial=`. */
export type PartiallySignedIn = {
  readonly kind: 'partial'
  readonly path: string
  readonly partial: Handle<'partial'>
  /** What the return is bound to: the browser's cookie, or a new one. */
  readonly browser: BrowserHandle
}

export type SignInRefused<Why extends string> = {
  readonly kind: 'refused'
  readonly why: Why
  /** Written by the user service for the user; only with `why: 'message'`. */
  readonly message: string | null
  readonly retryAfterSeconds: number
}

/** The pending request has ended: it expired, was answered, or belongs to another browser. */
export type SignInExpired = { readonly kind: 'expired' }

/**
 * `credentials`: one answer for every cause that must not be revealed. `account_refused`: a provider proved who the user is,
 * and the account must not sign in.
 */
export type RefusedWhy = 'credentials' | 'limited' | 'not_allowed' | 'account_refused' | 'message'

export type SignInOutcome = SignedIn | PartiallySignedIn | SignInRefused<RefusedWhy> | SignInExpired

/** The provider failed, is no longer allowed, or the user canceled there. */
export type ProviderRefused = SignInRefused<'provider_failed' | 'provider_cancelled' | 'not_allowed'> & {
  readonly scheme: ProviderScheme
}

/** `pending` is the request to go on with, or to show the login page for again; `null` when there was none. */
export type ReturningSignInOutcome = (SignInOutcome | ProviderRefused) & {
  readonly pending: PendingHandle | null
}

/** A refusal without a message. */
export function refused<Why extends RefusedWhy | ProviderRefused['why']>(why: Why): SignInRefused<Why> {
  return { kind: 'refused', why, message: null, retryAfterSeconds: 0 }
}
