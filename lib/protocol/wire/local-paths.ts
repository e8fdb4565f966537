/** The only parser for local paths from requests (WF-07), and paths that several modules use. */

/** Returns `path`, normalized and without its fragment, if it leads to this origin; otherwise `fallback`. */
export function localPath(path: string | null | undefined, fallback: string): string {
  if (path === null || path === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return fallback
  const base = 'http://origin.invalid'
  if (!URL.canParse(path, base)) return fallback
  const url = new URL(path, base)
  // Resolving dots may have produced two slashes at the beginning, which would name a host
  if (url.origin !== base || url.pathname.startsWith('//')) return fallback
  return `${url.pathname}${url.search}`
}

/** The address that leads a signed-in user to the factor that the request requires in addition. */
export const stepUpPath = '/login/step-up'

/** The page where a user replaces a temporary password, before anything is issued. */
export const newPasswordPath = '/login/new-password'

/** The page where a user accepts the terms of use, before anything is issued. */
export const termsPath = '/login/terms'

/** The page that offers a passkey after a sign-in with a password. */
export const passkeyOfferPath = '/login/passkey-offer'

/** The page at a sign-in to an account whose deletion is planned, and the page of the link in the mail about it. */
export const keepAccountPath = '/login/keep-account'
export const keepByMailPath = '/account/delete/keep'

/** The page where a signed-in user confirms the identity before a sensitive change. */
export const confirmPath = '/login/confirm'
/** The page where a user proves a second factor, before anything is issued. */
export const secondFactorPath = '/login/second-factor'
export const passkeyFactorPath = '/login/second-factor/passkey'
export const recoveryCodePath = '/login/second-factor/recovery-code'

/** The page where a user sets up a factor that the sign-in requires, before anything is issued. */
export const enrollPath = '/login/enroll'
export const enrollPasskeyPath = '/login/enroll/passkey'

/** The pages where a user sets up an authenticator app, and gets recovery codes. */
export const authenticatorPath = '/account/authenticator'
export const recoveryCodesPath = '/account/recovery-codes'

/** The pages where a user links and unlinks identities of identity providers. */
export const linksPath = '/account/links'

/** The page that offers to link an identity to the account with its email address. */
export const offeredLinkPath = '/login/link'

/** The page of the link “This wasn’t me” in mails about changes of an account. */
export const undoPath = '/login/not-me'

/** The page where users change or add their email address. */
export const emailPath = '/account/email'

/** The page where users who lost all passkeys have them removed. */
export const lostPasskeysPath = '/account/lost-passkeys'

/** The page that offers to add an email address after a sign-in. */
export const emailOfferPath = '/login/email-offer'
