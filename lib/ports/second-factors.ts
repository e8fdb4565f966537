/** Second factors of subjects: an authenticator app with recovery codes, and the browsers that may skip the question. */
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'
import type { ChangeSource } from './change-source.ts'
import type { NewDelivery } from './outbox.ts'

export type SecondFactorPorts = {
  readonly secondFactors: SecondFactors
  readonly trustedBrowsers: TrustedBrowsers
}

export type AuthenticatorApp = {
  readonly subject: SubjectId
  /** The secret, sealed for `authenticator_apps:secret:<subject>`. */
  readonly sealedSecret: string
  /** The time step of the last accepted code (RFC 6238 5.2): a code works only once. */
  readonly lastStep: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export type AppSetUp = {
  /** The earlier app, as it was read; `null`: there was none. */
  readonly replaces: Pick<AuthenticatorApp, 'sealedSecret'> | null
  readonly codes: readonly Digest[]
  readonly notices: readonly NewDelivery[]
  readonly within?: ChangeSource | undefined
}

export type CodeReplacement = {
  readonly now: Date
  /** The form with which the user asked for new codes, as an ID of `UsedIds`. */
  readonly form: { readonly id: string; readonly expiresAt: Date }
  readonly notices: readonly NewDelivery[]
  readonly within?: ChangeSource | undefined
}

export type SecondFactors = {
  readonly findApp: (subject: SubjectId) => Promise<AuthenticatorApp | null>
  /** Returns the number of recovery codes that are left. */
  readonly countRecoveryCodes: (subject: SubjectId) => Promise<number>
  /**
   * Stores the app and replaces the recovery codes, with the messages about it, in one transaction. Returns true for exactly
   * one of several concurrent callers, only if the subject still has the app that `replaces` names, and `within` still exists; the others
   * change nothing.
   */
  readonly setApp: (app: AuthenticatorApp, setUp: AppSetUp) => Promise<boolean>
  /**
   * Accepts the code of a time step, and stores the messages about it. Returns true for exactly one caller, only if the subject
   * still has this app, and the step is later than the last accepted one.
   */
  readonly claimStep: (
    app: Pick<AuthenticatorApp, 'subject' | 'sealedSecret'>,
    step: number,
    { now, notices }: { readonly now: Date; readonly notices: readonly NewDelivery[] },
  ) => Promise<boolean>
  /** Uses a recovery code and stores the messages about it. Returns true for exactly one caller. */
  readonly claimRecoveryCode: (
    subject: SubjectId,
    code: Digest,
    { now, notices }: { readonly now: Date; readonly notices: readonly NewDelivery[] },
  ) => Promise<boolean>
  /**
   * Replaces all recovery codes, used and unused, and stores that the form was sent, in one transaction. Of several concurrent
   * callers with one form, one gets `replaced`. `repeated`: the form was sent before. `gone`: the subject has no authenticator app,
   * or `within` no longer exists. Except for `replaced`, nothing changes.
   */
  readonly replaceRecoveryCodes: (
    subject: SubjectId,
    codes: readonly Digest[],
    change: CodeReplacement,
  ) => Promise<'replaced' | 'repeated' | 'gone'>
  /** Deletes the app, the recovery codes and the trusted browsers. Returns false if there was no app, or `within` no longer exists. */
  readonly removeApp: (
    subject: SubjectId,
    removal: { readonly notices: readonly NewDelivery[]; readonly within?: ChangeSource | undefined },
  ) => Promise<boolean>
}

/** A browser in which a subject need not prove a second factor for some time. It is not a factor. */
export type TrustedBrowser = {
  readonly digest: Digest
  /** Names the row on pages; it does not give access. */
  readonly id: string
  readonly subject: SubjectId
  readonly userAgent: string | null
  readonly address: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

/** A password change, locking the account and resetting its factors end the trust in all browsers of the subject. */
export type TrustedBrowsers = {
  /**
   * Stores the trust, and ends the earlier trust of the subject with these digests: that in the same browser. Returns false, and
   * stores nothing, if the subject no longer has the authenticator app, which would have ended the trust.
   */
  readonly add: (
    browser: TrustedBrowser,
    earlier: readonly Digest[],
    app: Pick<AuthenticatorApp, 'sealedSecret'>,
  ) => Promise<boolean>
  /** Returns the one of these digests that is trusted for the subject, and stores the use; `null`: none is. */
  readonly use: (digests: readonly Digest[], subject: SubjectId, now: Date) => Promise<Digest | null>
  /** Returns the trusted browsers of a subject, the latest use first. */
  readonly allOf: (subject: SubjectId, now: Date) => Promise<readonly TrustedBrowser[]>
  /** Ends the trust in one browser, or in all if `id` is `null`. Returns their number. */
  readonly remove: (subject: SubjectId, id: string | null) => Promise<number>
}
