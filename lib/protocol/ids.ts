/** The identifiers of the protocol, each with its own type, so that they cannot be mixed up. */
import { z } from 'zod'

/** A client ID: printable ASCII (RFC 6749 appendix A.1). The length is IdentityServer3's. */
export const clientIdSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\x20-\x7e]*$/,
    onlyWith(
      /[\x20-\x7e]/,
      'may contain only letters from a to z, digits, blanks, and signs such as "-", "_" and "."',
    ),
  )
  .brand<'ClientId'>()
export type ClientId = z.infer<typeof clientIdSchema>

/** A subject: at most 255 ASCII characters, never reassigned (OpenID Connect Core 2). */
export const subjectIdSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(
    /^[\x21-\x7e]*$/,
    onlyWith(/[\x21-\x7e]/, 'may contain only letters from a to z, digits and signs of ASCII'),
  )
  .brand<'SubjectId'>()
export type SubjectId = z.infer<typeof subjectIdSchema>

/** The name of a scope: `scope-token` of RFC 6749 3.3. */
export const scopeNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]*$/,
    onlyWith(
      /[\x21\x23-\x5b\x5d-\x7e]/,
      'must be one word of ASCII letters, digits and signs other than quotes and backslash',
    ),
  )
  .brand<'ScopeName'>()
export type ScopeName = z.infer<typeof scopeNameSchema>

/** The name of an identity provider in `acr_values=idp:<name>` and in the redirect URI at this provider. */
export const providerSchemeSchema = z
  .string()
  .max(100)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'must begin with a letter or digit and contain only letters, digits, ".", "_" and "-"',
  )
  .brand<'ProviderScheme'>()
export type ProviderScheme = z.infer<typeof providerSchemeSchema>

/** The ID of a grant; see `ports/grants.ts`. */
export const grantIdSchema = z
  .string()
  .regex(/^g[A-Za-z0-9_-]{22}$/)
  .brand<'GrantId'>()
export type GrantId = z.infer<typeof grantIdSchema>

/** The `sid` claim: it identifies a session to clients, but does not give access to it. */
export const sessionIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/)
  .brand<'SessionId'>()
export type SessionId = z.infer<typeof sessionIdSchema>

/**
 * The prefixes of handles: secret values of a browser or a client, of which the database contains only the digest. A
 * prefix makes a leaked string recognizable. 32 bytes follow, as base64url. All are random, except the first 3 of
 * `TimePrefixed` handles, which are the time (see `timePrefixOf`). A `clientTest` handle is also the client ID of its
 * requests, so it is stored as one; only the admin session that started the test can use it.
 */
export const handlePrefixes = {
  code: 'code_',
  refreshToken: 'rt_',
  accessToken: 'at_',
  pending: 'req_',
  session: 'ses_',
  browser: 'brw_',
  externalState: 'ext_',
  externalConfirmState: 'exc_',
  externalSignOutState: 'exo_',
  providerTestState: 'ptt_',
  partial: 'prt_',
  externalLinkState: 'exl_',
  linkProof: 'lkp_',
  adminSession: 'adm_',
  invitation: 'inv_',
  userInvitation: 'ivt_',
  pageState: 'pst_',
  clientTest: 'tst_',
  selfTest: 'slf_',
  mailLink: 'lnk_',
  mailPage: 'wtg_',
  trustedBrowser: 'trb_',
} as const

export type HandleKind = keyof typeof handlePrefixes
export type Handle<K extends HandleKind> = string & z.$brand<`${K}Handle`>
export type RefreshTokenHandle = Handle<'refreshToken'>
export type AccessTokenHandle = Handle<'accessToken'>
export type PendingHandle = Handle<'pending'>
export type SessionHandle = Handle<'session'>
export type BrowserHandle = Handle<'browser'>
export type AdminSessionHandle = Handle<'adminSession'>
export type InvitationHandle = Handle<'invitation'>
export type PageStateHandle = Handle<'pageState'>
export type MailLinkHandle = Handle<'mailLink'>
export type MailPageHandle = Handle<'mailPage'>
export type ClientTestHandle = Handle<'clientTest'>
export type TrustedBrowserHandle = Handle<'trustedBrowser'>

/** The digest of a handle, by which the handle is stored and looked up. */
export type Digest = string & z.$brand<'Digest'>

/** Whether a string has the prefix of this kind of handle. The rest is not checked. */
export function hasHandlePrefix(kind: HandleKind, value: string): boolean {
  return value.startsWith(handlePrefixes[kind])
}

/** The length of the time at the start of a token: in bytes, and in characters of base64url. */
export const timePrefixBytes = 3
export const timePrefixLength = 4

/** The handles that begin with the time, because databases store large numbers of them. */
export type TimePrefixed = AccessTokenHandle | RefreshTokenHandle | PendingHandle

/** Whether handles of this kind begin with the time at which they were issued. */
export function hasTimePrefix(kind: HandleKind): boolean {
  return kind === 'accessToken' || kind === 'refreshToken' || kind === 'pending'
}

/**
 * Returns the four characters of a handle that contain the time of its creation. They are stored before the digest, so
 * that rows of the same time are close together in the database's index. They are not secret: 232 random bits follow.
 */
export function timePrefixOf(handle: TimePrefixed): string {
  const start = handle.indexOf('_') + 1
  return handle.slice(start, start + timePrefixLength)
}

/**
 * Adds the client of the request to a pending handle, so that a page whose request was deleted can still name the app.
 * The ID is not secret and proves nothing: the digest covers the whole handle.
 */
export function withClientId(handle: PendingHandle, clientId: string): PendingHandle {
  return `${handle}${Buffer.from(clientId).toString('base64url')}` as PendingHandle
}

/** Returns the client in a pending handle; `null` if there is none. Any client or user can make such a handle. */
export function clientIdIn(handle: PendingHandle): ClientId | null {
  const named = handle.slice(handlePrefixes.pending.length + secretLength)
  return clientIdSchema.safeParse(Buffer.from(named, 'base64url').toString()).data ?? null
}

const secretLength = 43
/** The length of a client ID of 100 characters as base64url. */
const longestNamed = 134

/** Parses a handle of one kind; null when the text cannot be one. */
export function parseHandle<K extends HandleKind>(
  kind: K,
  value: string | null | undefined,
): Handle<K> | null {
  if (value === null || value === undefined) return null
  const prefix = handlePrefixes[kind]
  const longest = kind === 'pending' ? secretLength + longestNamed : secretLength
  if (value.length < prefix.length + secretLength || value.length > prefix.length + longest) return null
  if (!value.startsWith(prefix) || !/^[A-Za-z0-9_-]+$/.test(value.slice(prefix.length))) return null
  return value as Handle<K>
}

/**
 * Makes the message for a pattern of `allowed` characters: it contains `words` and the first character that is not
 * allowed.
 */
function onlyWith(allowed: RegExp, words: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => {
      const wrong = [...String(input)].find(character => !allowed.test(character))
      return wrong === undefined ? words : `${words}; ${shown(wrong)} is not allowed`
    },
  }
}

function shown(character: string): string {
  if (character === ' ') return 'a blank'
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `"${character}"`
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
