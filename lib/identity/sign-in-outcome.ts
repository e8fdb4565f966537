/** The outcomes of a sign-in, for the page that shows them. */
import type { BrowserHandle, Handle, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import type { SignedIn } from './session.ts'

/**
 * The user must first visit `path` on this origin, and then `/login/return?partial=` unless the page continues the sign-in
 * itself.
 */
export type PartiallySignedIn = {
  readonly kind: 'partial'
  readonly path: string
  readonly partial: Handle<'partial'>
  /** The handle that the return is bound to: the browser's cookie, or a new one. */
  readonly browser: BrowserHandle
}

export type SignInRefused<Why extends string> = {
  readonly kind: 'refused'
  readonly why: Why
  /** A message of the user service or of a hook for the user; only with `why: 'message'`. */
  readonly message: string | null
  readonly retryAfterSeconds: number
  /** The ID of the passkey that was used, if this server does not know it, so that credential managers no longer offer it. */
  readonly unknownPasskey?: string
}

/**
 * The pending request, the interrupted sign-in or the sign-in at the provider cannot continue, for example because it
 * expired or belongs to another browser.
 */
export type SignInExpired = { readonly kind: 'expired' }

/** A step-up that added no factor, because no step applies: the user cannot reach the required level. */
export type StepUpUnreachable = { readonly kind: 'unreachable' }

/**
 * The kinds of refusals. `credentials`: one outcome for every cause that must not be revealed. `account_refused`: the
 * user has proven the identity, with credentials or at a provider, but the account must not sign in. `fields`: an
 * additional field of the form is missing or invalid, and the password was not checked. `another_account`: the signed-in
 * user had to confirm the identity, and the sign-in was that of another user. `passkey`: one outcome like `credentials`, for
 * passkeys. `passkey_needs_provider`: the passkey is right, but its user must sign in with an identity provider.
 */
export type RefusedWhy =
  | 'credentials'
  | 'fields'
  | 'limited'
  | 'not_allowed'
  | 'account_refused'
  | 'another_account'
  | 'passkey'
  | 'passkey_needs_provider'
  | 'message'

export type SignInOutcome =
  | SignedIn
  | PartiallySignedIn
  | SignInRefused<RefusedWhy>
  | SignInExpired
  | StepUpUnreachable

/** The provider failed, is no longer allowed or does not allow the account, or the user canceled there. */
export type ProviderRefused = SignInRefused<
  'provider_failed' | 'provider_cancelled' | 'account_refused' | 'not_allowed'
> & {
  readonly scheme: ProviderScheme
}

/**
 * The browser returned from the provider with a used or late response: the user continues with the pending request, if
 * there is one.
 */
type CameBackAgain = { readonly kind: 'came_back_again' }

/**
 * The outcome of a sign-in that returns from a provider or from the page of a step. `pending`: the request to continue,
 * or for which to show the login page or an error; `null`: none is known.
 */
export type ReturningSignInOutcome = (SignInOutcome | ProviderRefused | CameBackAgain) & {
  readonly pending: PendingHandle | null
}

/** A refusal without a message. */
export function refused<Why extends RefusedWhy | ProviderRefused['why']>(why: Why): SignInRefused<Why> {
  return { kind: 'refused', why, message: null, retryAfterSeconds: 0 }
}
