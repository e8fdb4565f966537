/** Calls the hooks of extensions in authorization and token requests. Without a hook nothing is called, and everything is accepted. */
import type { CheckRecorder } from '#lib/errors/checks.ts'
import { isErrorText, isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type {
  HookRequest,
  PostAuthenticateRequest,
  PostAuthentication,
  RedirectUriToValidate,
  TokenRequestToValidate,
  TokenResponseContext,
} from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { grantTypes } from '#lib/protocol/vocabulary.ts'
import { type Parameters, rulesOf } from '#lib/protocol/wire/parameters.ts'
import type { ValidAuthorizeRequest } from '../authorize/validate.ts'

type HookPorts = Pick<Ports, 'hooks'>

/** Whether the extensions accept a redirect URI that the server accepts. */
export async function callValidateRedirectUriHook(
  { hooks }: HookPorts,
  asked: RedirectUriToValidate,
): Promise<boolean> {
  return hooks.validateRedirectUri === undefined || hooks.validateRedirectUri(asked)
}

type ValidatedRequest = {
  readonly client: Client
  readonly redirectUri: string
  readonly request: ValidAuthorizeRequest
  readonly session: Session | null
}

/** Throws the error that `validateAuthorizeRequest` chose. */
export async function callValidateAuthorizeRequestHook(
  { hooks: { validateAuthorizeRequest } }: HookPorts,
  { client, redirectUri, request, session }: ValidatedRequest,
  checks: Pick<CheckRecorder, 'begin'>,
): Promise<void> {
  if (validateAuthorizeRequest === undefined) return
  checks.begin('extension_accepted')
  const { responseType, details, prompts, maxAgeSeconds, loginHint, acrValues } = request
  const verdict = await validateAuthorizeRequest({
    client,
    redirectUri,
    responseType,
    scopes: details.scopes,
    prompts,
    maxAgeSeconds,
    loginHint,
    acrValues,
    subject: session?.subject ?? null,
  })
  if (verdict.kind === 'refused') throw extensionRefusal('authorize_request_not_accepted', verdict)
}

type ValidatedTokenRequest = Pick<TokenRequestToValidate, 'client' | 'scopes' | 'subject'> & {
  readonly parameters: Parameters
}

/** Throws the error that `validateTokenRequest` chose. To be called before anything is stored or used. */
export async function callValidateTokenRequestHook(
  { hooks: { validateTokenRequest } }: HookPorts,
  { client, scopes, subject, parameters }: ValidatedTokenRequest,
): Promise<void> {
  if (validateTokenRequest === undefined) return
  const grantType = parameters.one('grant_type') ?? ''
  const request = { client, grantType, scopes, subject, parameters: shownParameters(grantType, parameters) }
  const verdict = await validateTokenRequest(request)
  if (verdict.kind === 'refused') throw extensionRefusal('token_request_not_accepted', verdict)
}

/** Only values that a request trace shows, and unknown parameters; in a custom grant those may be secrets. */
function shownParameters(grantType: string, { names, one }: Parameters): Readonly<Record<string, string>> {
  const isBuiltIn = grantTypes.includes(grantType)
  const isShown = (name: string) => {
    const rules = rulesOf(name)
    return rules === null ? isBuiltIn : rules.shown !== 'name'
  }
  return Object.fromEntries(names.filter(isShown).map(name => [name, one(name) ?? '']))
}

/** The members that extensions add to a token response. */
export async function addedMembers(
  { hooks: { tokenResponse } }: HookPorts,
  context: TokenResponseContext,
): Promise<Readonly<Record<string, JsonValue>>> {
  return tokenResponse === undefined ? {} : tokenResponse(context)
}

type CompleteSignIn = Omit<PostAuthenticateRequest, 'request'>

/** What `postAuthenticate` decides about a sign-in that is complete. */
export async function callPostAuthenticateHook(
  { hooks: { postAuthenticate } }: HookPorts,
  signIn: CompleteSignIn,
  context: RequestContext,
): Promise<PostAuthentication> {
  if (postAuthenticate === undefined) return { kind: 'accepted' }
  return postAuthenticate({ ...signIn, request: hookRequest(context) })
}

/** The reason why `signOut` failed; `null`: it did not. The session has ended already. */
export async function callSignOutHook(
  { hooks: { signOut } }: HookPorts,
  { subject, sessionId, idp }: Session,
  context: RequestContext,
): Promise<{ readonly reason: ErrorReason } | null> {
  try {
    await signOut?.({ subject, sessionId, idp, request: hookRequest(context) })
    return null
  } catch (error) {
    if (isOauthError(error)) return { reason: error.reason }
    throw error
  }
}

export function hookRequest({ requestId, address, userAgent }: RequestContext): HookRequest {
  return { requestId, address, userAgent }
}

type ExtensionRefusal = { readonly error?: string; readonly description: string | null }

/** A refusal with the error and description of an extension, as far as they may be sent; else those of the reason. */
export function extensionRefusal(reason: ErrorReason, { error, description }: ExtensionRefusal): OauthError {
  const wireCode =
    error !== undefined && !ownCodes.has(error) && isSendable(error, longestCode) ? error : null
  return new OauthError(reason, { wireCode, description: sendableDescription(description) })
}

/** Codes that describe what only this server can know. */
const ownCodes: ReadonlySet<string> = new Set(['invalid_client', 'server_error'])

const longestCode = 100
const longestDescription = 200

/** The text of an extension if it may be sent, else `null`: then the sentence of the reason is sent. */
export function sendableDescription(text: string | null): string | null {
  return text !== null && isSendable(text, longestDescription) ? text : null
}

/** RFC 6749 4.1.2.1 and 5.2 */
function isSendable(text: string, longest: number): boolean {
  return text !== '' && text.length <= longest && isErrorText(text)
}
