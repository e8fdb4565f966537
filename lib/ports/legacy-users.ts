/** The hook `legacyVerify` of an extensions file. */
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

/** A user of an old system who has proven a password there. */
export type LegacyUser = {
  /** The permanent ID of the user; a random one by default. A user who is stored without a password must have the same one. */
  readonly subject?: SubjectId | undefined
  /** The user name, if the user entered a different one, such as an email address. */
  readonly username?: string | undefined
  readonly claims?: Claims | undefined
  /** Whether the user has to choose a new password now. */
  readonly mustChangePassword?: boolean | undefined
}

/** Verifies a password in the old system. `null`: the name is unknown there, or the password is wrong. */
export type LegacyVerifyHook = (credentials: {
  /** The name as the user entered it, without surrounding spaces. */
  readonly username: string
  readonly password: string
}) => Promise<LegacyUser | null>

/** The hook with time limit and error handling: see `guardLegacyVerify`. */
export type LegacyVerify = {
  readonly verify: LegacyVerifyHook
  /** Reports an answer that cannot be used, and returns the error for the request. */
  readonly refuse: (problem: string) => OauthError
}
