/** A sign-in in progress: the factors that the user has proven, and the remaining steps. */
import type { ReasonFor } from '#lib/errors/reasons.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { Digest, SubjectId, TrustedBrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { NamedIdentity } from './account-links.ts'
import type { ExternalIdentity, ExternalKey, SignInHints, StoredUser } from './users.ts'

/** The credential that was verified. */
export type Credential =
  /** A password. `hash`: the digest of the stored password hash; `null`: the password is in another store. */
  | { readonly kind: 'password'; readonly hash: Digest | null }
  /**
   * An identity provider authenticated the user. `hasTwoFactors`: with two factors, and its settings trust it for that. `link`: see
   * `Authentication`.
   */
  | { readonly kind: 'provider'; readonly hasTwoFactors?: true; readonly link?: ExternalKey }
  /** The extension `preAuthenticate` authenticated the user. */
  | { readonly kind: 'extension' }
  /** A passkey. `isUserVerified`: whether its authenticator verified the user, such as by fingerprint or PIN. */
  | { readonly kind: 'passkey'; readonly id: string; readonly isUserVerified: boolean }
  /** A code of an authenticator app (RFC 6238). `app`: its sealed secret; absent: the code was proven in an earlier sign-in. */
  | { readonly kind: 'totp'; readonly app?: string }
  /** A recovery code. `code`: its digest; absent: the code was proven in an earlier sign-in. */
  | { readonly kind: 'recovery_code'; readonly code?: Digest }

export type Factor = {
  /** The authentication methods of the factor (RFC 8176). */
  readonly methods: readonly string[]
  readonly at: Date
  readonly credential: Credential
}

/** An identity with which a user signed in at a provider. */
export type RedeemedIdentity = {
  readonly identity: ExternalIdentity
  /** The ID token, if the sign-out at the provider needs it. */
  readonly idToken: string | null
  readonly credential: Extract<Credential, { kind: 'provider' }>
  readonly authenticatedAt: Date
  /** The time of the factor, if that of the sign-in says nothing about it. */
  readonly provenAt: Date | null
}

/** The facts proven so far in one sign-in. An interrupted sign-in stores them sealed. */
export type ProvenSignIn = {
  readonly subject: SubjectId
  /** `localProvider`, or the scheme of the provider that authenticated the user. */
  readonly idp: string
  /**
   * The factors in the order in which they were proven. The user service decides about the first one; its methods are
   * known once the service accepts it.
   */
  readonly factors: readonly [Factor, ...Factor[]]
  readonly userService: UserServiceVerdict
  /** The time of the sign-in at the provider; `null`: the time when the session begins counts. */
  readonly authenticatedAt: Date | null
  /** Data from the provider: its claims, for the hooks, and its ID token, if the sign-out there needs it. */
  readonly provider: { readonly claims: Claims | null; readonly idToken: string | null } | null
  /** The values of the additional fields of the form, without passwords. */
  readonly fields?: SignInHints['fields']
  /**
   * The user who confirms the identity before a sensitive change: a sign-in of another user is refused, and a trusted browser
   * does not replace a factor. Absent for every other sign-in.
   */
  readonly confirms?: SubjectId
  /**
   * The identity that is linked to the account when the sign-in is complete. A trusted browser does not replace a factor.
   */
  readonly links?: NamedIdentity
  /**
   * The session whose level the sign-in raises; absent for a sign-in from the beginning. The new session keeps its ID, its
   * claims, its time of authentication and its end.
   */
  readonly raises?: { readonly session: Digest; readonly factorCount: number }
  /** The canonical name under which failed attempts of the account are counted; absent without a password. */
  readonly account?: string
  /** The handles of the browser in which its users trusted it; each is for one user. */
  readonly trustedBrowsers?: readonly TrustedBrowserHandle[]
  /** The paths of the pages from which the user has returned, by the name of their step. */
  readonly returnedFrom: Readonly<Record<string, string>>
}

export type UserServiceVerdict =
  | { readonly kind: 'accepted'; readonly name: string; readonly acr: string | null }
  /** The user must first visit `path`. Then the user service is asked again, by `completePartial`. */
  | { readonly kind: 'interrupted'; readonly path: string }

/** A sign-in as a step receives it. */
export type SignInToCheck = {
  readonly proven: ProvenSignIn
  /** The account in the store of this server, if it was read just now. */
  readonly account?: StoredUser | undefined
  readonly hints: SignInHints
  /** The kind of sign-in. With `password_grant` no page can be shown. */
  readonly via: 'browser' | 'password_grant'
}

/**
 * The step is done or not needed. `claims` are added to the tokens of this sign-in. `trustedBrowser`: the trust that replaced a
 * factor, which must still exist when the session is stored.
 */
export type StepPassed = {
  readonly kind: 'passed'
  readonly claims?: Claims | undefined
  readonly trustedBrowser?: Digest
}

export type StepVerdict =
  | StepPassed
  /** The user must first visit `path` on this origin. */
  | { readonly kind: 'required'; readonly path: string }
  /** The sign-in is refused. `message` is shown to the user. */
  | { readonly kind: 'refused'; readonly reason: ReasonFor<'invalid_grant'>; readonly message: string | null }

type NamedStep = {
  readonly name: string
  /**
   * The reason why the sign-in is not complete, for events and for callers that cannot show a page; `null`: no specific
   * one.
   */
  readonly reason: ReasonFor<'invalid_grant'> | null
}

/**
 * A step with a page of this server; the page continues the sign-in when the step is done. `applies` returns a verdict instead of
 * `false` if the session depends on something that the step has found.
 */
type PageStep<Ports> = NamedStep & {
  readonly path: string
  readonly applies: (ports: Ports, signIn: SignInToCheck) => Promise<boolean | StepPassed>
}

/** A step of an extension: the user returns from its page to `/login/return`, and the extension decides again. */
type ExtensionStep<Ports> = NamedStep & {
  readonly decide: (ports: Ports, signIn: SignInToCheck, context: RequestContext) => Promise<StepVerdict>
}

/** A step that a sign-in must pass before its session begins; the list is in `identity/sign-in-steps.ts`. */
export type SignInStep<Ports> = PageStep<Ports> | ExtensionStep<Ports>
