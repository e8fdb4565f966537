/** What a try to sign in can lead to. */
import type {
  BrowserHandle,
  Handle,
  PendingHandle,
  ProviderScheme,
  SessionHandle,
} from '#lib/protocol/ids.ts'

export type SignedIn = {
  readonly kind: 'signed_in'
  /** The new session's cookie. The previous session is already dead. */
  readonly session: SessionHandle
  /** `null`: the cookie ends with the browser. */
  readonly persistSeconds: number | null
  /**
   * The new value of the known-device cookie, to be kept for `lifetimeSeconds.knownDevice`;
   * `null`: do not change that cookie.
   */
  readonly device: string | null
}

/** The person must first visit `path` on this origin and then `/login/return?partial=`. */
export type PartiallySignedIn = {
  readonly kind: 'partial'
  readonly path: string
  readonly partial: Handle<'partial'>
  /** What the return is bound to: the browser's own cookie, or a new one for a browser that had none. */
  readonly browser: BrowserHandle
}

export type SignInRefused<Why extends string> = {
  readonly kind: 'refused'
  readonly why: Why
  /** Written by the user service for the person; only with `why: 'message'`. */
  readonly message: string | null
  readonly retryAfterSeconds: number
}

/** The waiting request is gone: it expired, was answered, or belongs to another browser. */
export type SignInExpired = { readonly kind: 'expired' }

/** `credentials` is every cause that a stranger must not be able to tell apart. */
/** `account_refused`: an identity provider proved who the user is, and their account here may not sign in. */
export type RefusedWhy = 'credentials' | 'limited' | 'not_allowed' | 'account_refused' | 'message'

export type SignInOutcome = SignedIn | PartiallySignedIn | SignInRefused<RefusedWhy> | SignInExpired

/** A provider that did not vouch, or where the person turned back. */
export type ProviderRefused = SignInRefused<'provider_failed' | 'provider_cancelled'> & {
  readonly scheme: ProviderScheme
}

/** `pending` is the request to go on with, or to show the login page for again; `null` when there was none. */
export type ReturningSignInOutcome = (SignInOutcome | ProviderRefused) & {
  readonly pending: PendingHandle | null
}

/** A refusal that says nothing but its kind. */
export function refused<Why extends RefusedWhy | ProviderRefused['why']>(why: Why): SignInRefused<Why> {
  return { kind: 'refused', why, message: null, retryAfterSeconds: 0 }
}
