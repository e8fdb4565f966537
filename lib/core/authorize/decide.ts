/** Decides the next step for a valid request. Pure. */
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { ConsentAnswer, PendingRequest, Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { ProviderScheme, ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { isLevelReached, isLevelUnreachable } from './required-level.ts'
import { listedProviders, requestedProvider } from './sign-in-providers.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** The parts of a request on which the decision depends. */
export type RequestToDecide = Pick<
  ValidAuthorizeRequest,
  'details' | 'prompts' | 'maxAgeSeconds' | 'acrValues'
>

export type DecisionContext = {
  readonly request: RequestToDecide
  readonly client: Client
  /** The session; `null` if there is none or its user may no longer sign in. */
  readonly session: Session | null
  readonly hint: SubjectHint
  /** Whether there is a `login_hint` that matches no name of the signed-in user. */
  readonly loginHintDiffers: boolean
  /** The enabled identity providers that this client allows. */
  readonly providers: readonly IdentityProvider[]
  /** The stored consent of the user for this client. */
  readonly remembered: Consent | null
  /** Whether a remembered consent may replace the question: see `canBeRemembered`. */
  readonly consentCanBeRemembered: boolean
  /** Whether users can have passkeys at the address of this server. */
  readonly hasPasskeys: boolean
  /** The stored request; `null` for a new request. */
  readonly opened: Pick<PendingRequest, 'createdAt' | 'chosenSubject' | 'consent'> | null
  readonly now: Date
}

/** The user that `id_token_hint` names. */
export type SubjectHint =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'subject'; readonly subject: string }

/** The next step for a valid request, with the reason. */
export type Decision =
  | {
      readonly kind: 'issue'
      readonly session: Session
      /** The granted details, which may be less than requested. */
      readonly granted: GrantDetails
      /** The stored consent that the grant needs; `null`: none is needed, or the answer is not remembered. */
      readonly consent: Consent | null
    }
  /** The user must first act on a page of this server. */
  | { readonly kind: 'interact'; readonly at: InteractionPage; readonly reason: ErrorReason }
  /** The user signs in at an identity provider. */
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly reason: ErrorReason }
  | { readonly kind: 'refuse'; readonly reason: ErrorReason }

export type InteractionPage = 'login' | 'register' | 'providers' | 'select_account' | 'step_up' | 'consent'

/**
 * Decides between asking the user, responding to the client, and refusing. With `prompt=none`, a step that would ask
 * becomes the error of its reason (OpenID Connect Core 3.1.2.6).
 */
export function decide(context: DecisionContext): Decision {
  const { session, hint, request } = context
  if (isLevelUnreachable(context)) return { kind: 'refuse', reason: 'assurance_unreachable' }
  // The hint of another client must not reveal whether a user is signed in
  if (hint.kind === 'unreadable' && request.prompts.includes('none'))
    return { kind: 'refuse', reason: 'id_token_hint_differs' }
  if (session === null) return refuseIfPromptNone(context, signInDecision(context, 'not_signed_in'))
  const signedIn = { ...context, session }
  return signInStep(signedIn) ?? stepUp(signedIn) ?? consentStep(signedIn)
}

function signInStep(context: SignedIn): Decision | null {
  const reason = signInReasons.find(({ applies }) => applies(context))
  if (reason === undefined) return refuseWrongUser(context)
  if (reason.at === 'sign_in') return refuseIfPromptNone(context, signInDecision(context, reason.name))
  return refuseIfPromptNone(context, { kind: 'interact', at: 'select_account', reason: reason.name })
}

/**
 * Decides where the user signs in: at the requested provider, else at the local form if the client allows it (with
 * `prompt=create` at the one that creates an account), else at the only listed provider or on a page with a choice of them.
 * Refuses if there is none.
 */
function signInDecision(context: DecisionContext, reason: ErrorReason): Decision {
  const { request, client, providers, session } = context
  const asked = requestedProvider(request, client, providers)
  if (asked !== null && asked !== localProvider) return { kind: 'forward', scheme: asked, reason }
  if (client.enableLocalLogin) {
    const creates = request.prompts.includes('create')
    return {
      kind: 'interact',
      at: creates ? 'register' : 'login',
      reason: creates ? 'prompt_create' : reason,
    }
  }
  const [first, second] = listedProviders(providers, session?.idp ?? null)
  if (first === undefined) return { kind: 'refuse', reason: 'no_sign_in_method' }
  if (second === undefined) return { kind: 'forward', scheme: first.scheme, reason }
  return { kind: 'interact', at: 'providers', reason }
}

// OpenID Connect Core 3.1.2.1: never a success for a user other than the one in the hint
function refuseWrongUser(context: SignedIn): Decision | null {
  return hintDiffers(context) ? { kind: 'refuse', reason: 'id_token_hint_differs' } : null
}

/**
 * Asks a signed-in user for the missing factor, not for the whole sign-in. With `prompt=none` the error is `login_required`:
 * the user can still reach the level on a page (OpenID Connect Core 3.1.2.6).
 */
function stepUp(context: SignedIn): Decision | null {
  if (isLevelReached(context)) return null
  return refuseIfPromptNone(context, { kind: 'interact', at: 'step_up', reason: 'assurance_too_low' })
}

function consentStep(context: SignedIn): Decision {
  const { request, session, client, remembered } = context
  const answered = context.opened && answeredConsent(context, context.opened.consent)
  if (answered !== null) return answered
  const reason = request.prompts.includes('consent') ? 'prompt_consent' : 'consent_needed'
  if (reason === 'consent_needed' && !isConsentNeeded(context, request.details.scopes)) {
    const consent = client.requireConsent ? remembered : null
    return { kind: 'issue', session, granted: request.details, consent }
  }
  return refuseIfPromptNone(context, { kind: 'interact', at: 'consent', reason })
}

/**
 * Returns the decision by the answer that the user gave in this session. `null`: there is no answer, or the stored
 * consent does not cover a remembered one, for example because the user removed the app's access in the meantime
 * (CN-07).
 */
function answeredConsent(
  { request, session, remembered, consentCanBeRemembered }: SignedIn,
  answer: ConsentAnswer | null,
): Decision | null {
  if (answer?.sessionId !== session.sessionId) return null
  if (answer.decision === 'deny') return { kind: 'refuse', reason: 'consent_denied' }
  const scopes = request.details.scopes.filter(scope => answer.scopes.includes(scope))
  const issue = { kind: 'issue', session, granted: { ...request.details, scopes } } as const
  if (!answer.remember || !consentCanBeRemembered) return { ...issue, consent: null }
  return remembered !== null && covers(remembered, scopes) ? { ...issue, consent: remembered } : null
}

function refuseIfPromptNone({ request }: DecisionContext, decision: Decision): Decision {
  if (!request.prompts.includes('none') || decision.kind === 'refuse' || decision.kind === 'issue')
    return decision
  return { kind: 'refuse', reason: decision.reason }
}

type SignedIn = DecisionContext & { readonly session: Session }

type SignInReason = {
  readonly name: ErrorReason
  readonly at: 'sign_in' | 'select_account'
  readonly applies: (context: SignedIn) => boolean
}

/** The reasons to ask a signed-in user again. The first that applies counts. */
const signInReasons: readonly SignInReason[] = [
  {
    name: 'prompt_login',
    at: 'sign_in',
    applies: context => context.request.prompts.includes('login') && !authenticatedSince(context),
  },
  {
    name: 'prompt_create',
    at: 'sign_in',
    applies: context => context.request.prompts.includes('create') && !isChosen(context),
  },
  {
    name: 'requested_provider_differs',
    at: 'sign_in',
    applies: ({ request, client, providers, session }) => {
      const asked = requestedProvider(request, client, providers)
      return asked !== null && asked !== session.idp
    },
  },
  {
    name: 'provider_not_allowed_for_client',
    at: 'sign_in',
    applies: ({ session, providers }) =>
      session.idp !== localProvider && providers.every(({ scheme }) => scheme !== session.idp),
  },
  {
    name: 'local_login_not_allowed_for_client',
    at: 'sign_in',
    applies: ({ session, client }) => session.idp === localProvider && !client.enableLocalLogin,
  },
  {
    name: 'max_age_exceeded',
    at: 'sign_in',
    applies: context => isTooOld(context) && !authenticatedSince(context),
  },
  {
    name: 'id_token_hint_differs',
    at: 'sign_in',
    applies: context => hintDiffers(context) && !isFresh(context),
  },
  {
    name: 'prompt_select_account',
    at: 'select_account',
    applies: context => context.request.prompts.includes('select_account') && !isChosen(context),
  },
  {
    name: 'login_hint_differs',
    at: 'select_account',
    // An `id_token_hint` identifies the user more reliably
    applies: context =>
      context.loginHintDiffers &&
      context.hint.kind !== 'subject' &&
      !isChosen(context) &&
      !isPromptNoneWithoutConsent(context),
  },
]

/** Whether the hint names a different user. An unreadable hint counts only with `prompt=none`. */
function hintDiffers({ hint, request, session }: SignedIn): boolean {
  if (hint.kind === 'unreadable') return request.prompts.includes('none')
  return hint.kind === 'subject' && hint.subject !== session.subject
}

/**
 * Whether the user authenticated after the request arrived. Without this check the same request would ask again and
 * again.
 */
function authenticatedSince({ opened, session }: SignedIn): boolean {
  return opened !== null && session.authenticatedAt >= opened.createdAt
}

/**
 * Whether the user signed in here after the request arrived. At an identity provider, the authentication may be older.
 */
function isFresh({ opened, session }: SignedIn): boolean {
  return opened !== null && session.createdAt >= opened.createdAt
}

function isTooOld({ request, session, now }: SignedIn): boolean {
  if (request.maxAgeSeconds === null) return false
  const ageSeconds = (now.getTime() - session.authenticatedAt.getTime()) / 1000
  return request.maxAgeSeconds === 0 || ageSeconds > request.maxAgeSeconds
}

/**
 * Whether an error would reveal to a client without consent whether a guessed name is the user's. Such a client receives
 * `consent_required`, as it does for the right name.
 */
function isPromptNoneWithoutConsent(context: SignedIn): boolean {
  return context.request.prompts.includes('none') && isConsentNeeded(context, context.request.details.scopes)
}

function isChosen(context: SignedIn): boolean {
  return isFresh(context) || context.opened?.chosenSubject === context.session.subject
}

export type ConsentFacts = {
  readonly client: Client
  readonly remembered: Consent | null
  readonly consentCanBeRemembered: boolean
}

/** Whether the user must be asked for these scopes now, which a remembered consent can make unnecessary. */
function isConsentNeeded(facts: ConsentFacts, scopes: readonly ScopeName[]): boolean {
  const { client, remembered, consentCanBeRemembered } = facts
  if (!client.requireConsent) return false
  return !consentCanBeRemembered || remembered === null || !covers(remembered, scopes)
}

/** Whether the user allowed all of these scopes. */
export function covers(remembered: Consent, scopes: readonly ScopeName[]): boolean {
  return scopes.every(scope => remembered.scopes.includes(scope))
}
