/** The end of every sign-in in a browser: a session, a step that the user must take first, or a refusal. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import {
  assuranceOf,
  beginSignIn,
  credentialsOf,
  findNextStep,
  passwordHashOf,
  type SignInFacts,
  type UserServiceResult,
  withResult,
} from '#lib/core/sign-in/proven-sign-in.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { OfferedLink, PartialDetails } from '#lib/ports/sessions.ts'
import type { Credential, ProvenSignIn, StepPassed } from '#lib/ports/sign-in-steps.ts'
import type { Authentication, SignInHints, StoredUser } from '#lib/ports/users.ts'
import { withoutReserved } from '#lib/protocol/claims.ts'
import type { BrowserHandle, Digest, PendingHandle, SessionHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { decideAgain } from './decide-again.ts'
import { beginEmailOffer } from './email-change/offer.ts'
import { flowField, sealPending } from './interaction.ts'
import { addLink } from './links/add-link.ts'
import { raiseSession, storedFactors } from './raise-session.ts'
import { openSession } from './session.ts'
import { type PartiallySignedIn, refused, type SignInOutcome, type SignInRefused } from './sign-in-outcome.ts'
import { sealedIdToken } from './stored-id-token.ts'

/** The data of a sign-in and of the request that it is for. */
export type SignInContext = Pick<ProvenSignIn, 'idp'> & {
  readonly remember: boolean
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly previous: readonly SessionHandle[]
  readonly hints: SignInHints
  /** Whether a page with an offer may follow; by default none does. */
  readonly mayOffer?: boolean
}

/** A sign-in with its first credential. */
export type SignInStart = SignInContext &
  SignInFacts & {
    readonly credential: Credential
    /** The methods of a passkey; see `beginSignIn`. */
    readonly methods?: readonly string[]
    readonly provenAt?: Date
  }

/** The fields of a sign-in without an identity provider. */
export const localSignIn = { idp: localProvider, authenticatedAt: null, provider: null } as const

export function partialDetailsPlace(digest: Digest): string {
  return `partial_sign_ins:details:${digest}`
}

/**
 * Continues after the first factor. The `knownBrowser` of the outcome is `null`: only callers that checked a password
 * set it.
 */
export async function finishSignIn(
  ports: Ports,
  result: Authentication,
  signIn: SignInStart,
  context: RequestContext,
): Promise<SignInOutcome> {
  if (result.kind === 'refused') return refuse(ports, result, { signIn, isProven: false }, context)
  const proven = beginSignIn(result, { ...signIn, now: ports.clock.now() })
  return takeNextStep(ports, { proven, result }, signIn, context)
}

/** Continues after a step: see `decideAgain`. */
export async function continueSignIn(
  ports: Ports,
  proven: ProvenSignIn,
  signIn: SignInContext,
  context: RequestContext,
): Promise<SignInOutcome> {
  const result = await decideAgain(ports, proven, signIn.hints)
  const isAccepted = proven.userService.kind === 'accepted'
  if (result.kind === 'refused') return refuse(ports, result, { signIn, isProven: isAccepted }, context)
  return takeNextStep(ports, { proven: withResult(proven, result), result }, signIn, context)
}

type Decided = { readonly proven: ProvenSignIn; readonly result: UserServiceResult }

async function takeNextStep(
  ports: Ports,
  { proven, result }: Decided,
  signIn: SignInContext,
  context: RequestContext,
): Promise<SignInOutcome> {
  const { confirms, subject } = proven
  if (confirms !== undefined && confirms !== subject) {
    recordRefusal(ports, { reason: 'another_account', subject }, signIn, context)
    return refused('another_account')
  }
  const account = result.kind === 'full' ? result.account : undefined
  const toCheck = { proven, account, hints: signIn.hints, via: 'browser' } as const
  const next = await findNextStep(ports, toCheck, context)
  switch (next.kind) {
    case 'passed':
      return completeSignIn(ports, { proven, account, passed: next }, signIn, context)
    case 'required':
      return interrupt(ports, { proven, ...next }, signIn, context)
    case 'refused': {
      const { message, reason } = next
      const cause = { reason, subject: proven.subject }
      return refuse(ports, { message, cause }, { signIn, isProven: true }, context)
    }
  }
}

type Completed = {
  readonly proven: ProvenSignIn
  readonly account: StoredUser | undefined
  readonly passed: StepPassed
}

/** Opens the session after the user has passed every step, or refuses: see `openSession`. */
async function completeSignIn(
  ports: Ports,
  { proven, account, passed: { claims, trustedBrowser } }: Completed,
  signIn: SignInContext,
  context: RequestContext,
): Promise<SignInOutcome> {
  if (proven.raises !== undefined) return completeStepUp(ports, proven, signIn, context)
  const { subject, idp, userService, authenticatedAt, returnedFrom } = proven
  // The list of steps should have interrupted the sign-in before; this check protects against a wrong list
  if (userService.kind !== 'accepted') throw new Error('The user service has not accepted this user.')
  const { amr, acr } = assuranceOf(proven)
  const { remember, previous } = signIn
  const details = {
    ...(claims === undefined ? {} : { claims: withoutReserved(claims) }),
    ...sealedIdToken(ports, proven),
    factors: storedFactors(proven.factors),
  }
  const opening = {
    facts: { subject, acr, idp, amr },
    name: userService.name,
    ...{ remember, previous, authenticatedAt, account },
    provenHash: passwordHashOf(proven),
    credentials: { ...credentialsOf(proven.factors), trustedBrowser },
    details,
  }
  const opened = await openSession(ports, opening, context)
  if (opened === null) {
    const cause = { reason: 'account_changed', subject } as const
    const isProven = Object.keys(returnedFrom).length > 0
    return refuse(ports, { message: null, cause }, { signIn, isProven }, context)
  }
  const fields = eventFields(ports, signIn, { idp, remember, ...methodsOf(proven, amr) })
  ports.events.record({ name: 'sign_in_succeeded', outcome: 'success', subject, ...fields }, context)
  const proof = { within: { kind: 'session', digest: ports.hashing.digest(opened.session) } } as const
  if (proven.links !== undefined) await addLink(ports, { subject, identity: proven.links, proof }, context)
  const mayOffer = signIn.mayOffer === true && proven.confirms === undefined
  const offersEmail = mayOffer && (await beginEmailOffer(ports, { subject, details }, account))
  return offersEmail ? { ...opened, offersEmail } : opened
}

/** Raises the level of the session, and records that. */
async function completeStepUp(
  ports: Ports,
  proven: ProvenSignIn,
  signIn: SignInContext,
  context: RequestContext,
): Promise<SignInOutcome> {
  const { subject, idp, raises, factors } = proven
  // No step has added a factor
  if (raises === undefined || factors.length <= raises.factorCount) return { kind: 'unreachable' }
  const { session } = raises
  const raised = await raiseSession(ports, { session, proven, previous: signIn.previous })
  if (raised.kind !== 'signed_in') return raised
  const fields = eventFields(ports, signIn, { idp, method: factors.at(-1)?.credential.kind ?? null })
  ports.events.record({ name: 'session_stepped_up', outcome: 'success', subject, ...fields }, context)
  return raised
}

type Interruption = {
  /** The proven facts; `null`: nothing is proven yet. */
  readonly proven: ProvenSignIn | null
  readonly step: { readonly name: string; readonly reason: Reason | null }
  readonly path: string
  readonly offer?: OfferedLink
}

/** Stores the facts proven so far, and returns the page of the step. Throws if that is not a path of this server. */
export async function interrupt(
  ports: Ports,
  { proven, step, path: named, offer }: Interruption,
  signIn: SignInContext,
  context: RequestContext,
): Promise<PartiallySignedIn> {
  const { idp, remember, pending } = signIn
  const subject = proven?.subject ?? null
  const path = localPath(named, '')
  if (path === '') throw new OauthError('partial_path_leaves_this_origin')
  const browser = signIn.browser ?? ports.random.handle('browser')
  const partial = ports.random.handle('partial')
  const digest = ports.hashing.digest(partial)
  const needed = proven && withNeededClaims(ports, proven)
  const offered = offer === undefined ? {} : { offer }
  const details: PartialDetails = { step: step.name, path, proven: needed, ...offered }
  await ports.partialSignIns.create({
    digest,
    browser: ports.hashing.digest(browser),
    // Locking the account of an offer ends it
    subject: subject ?? offer?.account.subject ?? null,
    idp,
    sealedPending: sealPending(ports, pending, `partial_sign_ins:pending:${digest}`),
    sealedDetails: ports.sealing.seal(JSON.stringify(details), partialDetailsPlace(digest)),
    remember,
    expiresAt: secondsAfter(ports.clock.now(), lifetimeSeconds.partialSignIn),
  })
  const cause = {
    ...(step.reason === null ? {} : { reason: step.reason }),
    ...(subject === null ? {} : { subject }),
  }
  const fields = eventFields(ports, signIn, { idp, step: step.name })
  ports.events.record({ name: 'sign_in_partial', outcome: 'success', ...cause, ...fields }, context)
  return { kind: 'partial', path, partial, browser }
}

/** Removes the claims of the provider unless `postAuthenticate` will read them, to store none without need. */
function withNeededClaims({ hooks }: Pick<Ports, 'hooks'>, proven: ProvenSignIn): ProvenSignIn {
  const { provider } = proven
  if (provider === null || hooks.postAuthenticate !== undefined) return proven
  return { ...proven, provider: { ...provider, claims: null } }
}

type Refusing = { readonly signIn: SignInContext; readonly isProven: boolean }

/**
 * Refuses a sign-in with the given message, if there is one. Otherwise the outcome is `account_refused` if `isProven`
 * is true or a provider authenticated the user, else `credentials`.
 */
function refuse(
  ports: Ports,
  { message, cause }: { readonly message: string | null; readonly cause?: Cause },
  { signIn, isProven }: Refusing,
  context: RequestContext,
): SignInRefused<'credentials' | 'account_refused' | 'message'> {
  recordRefusal(ports, cause ?? { reason: 'user_service_refused' }, signIn, context)
  if (message !== null) return { ...refused('message'), message }
  return refused(isProven || signIn.idp !== localProvider ? 'account_refused' : 'credentials')
}

type Cause = { readonly reason: Reason; readonly subject?: SubjectId }

/** Records why a sign-in failed. */
export function recordRefusal(
  ports: Ports,
  cause: Cause,
  signIn: SignInContext,
  context: RequestContext,
): void {
  const event = { name: 'sign_in_failed', outcome: 'failure', ...cause } as const
  ports.events.record({ ...event, ...eventFields(ports, signIn, { idp: signIn.idp }) }, context)
}

/** Records a sign-in that the rate limits refuse, and returns its outcome. */
export function recordLimited(
  ports: Ports,
  retryAfterSeconds: number,
  signIn: SignInContext,
  context: RequestContext,
): SignInRefused<'limited'> {
  const fields = eventFields(ports, signIn, { idp: signIn.idp, retryAfterSeconds })
  ports.events.record({ name: 'sign_in_limited', outcome: 'failure', ...fields }, context)
  return { ...refused('limited'), retryAfterSeconds }
}

/**
 * Returns the methods for events. `method`: `passkey` if it was the first factor, `external` for a provider, otherwise the first
 * method of `amr`, or `other` if it is empty. `second`: the kind of the last further factor, if there is one.
 */
function methodsOf({ factors: [first, ...further] }: ProvenSignIn, amr: readonly string[]) {
  const others = amr.includes('external') ? 'external' : (amr[0] ?? 'other')
  const method = first.credential.kind === 'passkey' ? 'passkey' : others
  const second = further.at(-1)?.credential.kind
  return { method, ...(second === undefined ? {} : { second }) }
}

/** Returns the fields that all events of one sign-in have. */
export function eventFields(
  ports: Pick<Ports, 'hashing'>,
  { hints, pending }: Pick<SignInContext, 'hints' | 'pending'>,
  details: Readonly<Record<string, boolean | string | number | null>>,
) {
  return {
    ...(hints.client === null ? {} : { clientId: hints.client.clientId }),
    ...flowField(ports, pending),
    details,
  }
}
