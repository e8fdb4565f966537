/**
 * The call of `postAuthenticate`, the facts of a request for hooks, and the part of an extension's refusal that is sent
 * to clients.
 */
import { isErrorText, OauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { HookRequest, PostAuthenticateRequest, PostAuthentication } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

type CompleteSignIn = Omit<PostAuthenticateRequest, 'request'>

/** Calls `postAuthenticate` for a complete sign-in. Without the hook, every sign-in is accepted. */
export async function callPostAuthenticateHook(
  { hooks: { postAuthenticate } }: Pick<Ports, 'hooks'>,
  signIn: CompleteSignIn,
  context: RequestContext,
): Promise<PostAuthentication> {
  if (postAuthenticate === undefined) return { kind: 'accepted' }
  return postAuthenticate({ ...signIn, request: hookRequest(context) })
}

export function hookRequest({ requestId, address, userAgent }: RequestContext): HookRequest {
  return { requestId, address, userAgent }
}

type ExtensionRefusal = { readonly error?: string; readonly description: string | null }

/**
 * Makes a refusal with the error and the description of an extension. Each of the two that is missing or may not be
 * sent is replaced by that of the reason.
 */
export function extensionRefusal(reason: ErrorReason, { error, description }: ExtensionRefusal): OauthError {
  const wireCode =
    error !== undefined && !ownCodes.has(error) && isSendable(error, longestCode) ? error : null
  return new OauthError(reason, { wireCode, description: sendableDescription(description) })
}

/** Error codes that only this server may send. */
const ownCodes: ReadonlySet<string> = new Set(['invalid_client', 'server_error'])

const longestCode = 100
const longestDescription = 200

/** Returns the text of an extension if it may be sent; otherwise `null`, so that the sentence of the reason is sent. */
export function sendableDescription(text: string | null): string | null {
  return text !== null && isSendable(text, longestDescription) ? text : null
}

/** Whether the text is not empty, not too long, and has only the characters of RFC 6749 4.1.2.1 and 5.2. */
function isSendable(text: string, longest: number): boolean {
  return text !== '' && text.length <= longest && isErrorText(text)
}
