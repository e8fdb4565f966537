/** Checks the code challenge (PKCE, RFC 7636) against the client's policy. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import { type Client, isPublic } from '#lib/protocol/client.ts'
import { isChallengeShaped } from '#lib/protocol/pkce.ts'
import {
  type CodeChallengeMethod,
  codeChallengeMethods,
  type PkcePolicy,
  type ResponseType,
} from '#lib/protocol/vocabulary.ts'

export type CodeChallenge = { readonly challenge: string; readonly method: CodeChallengeMethod }

/** The challenge has its method's shape and satisfies the policy. Only a code can be bound to one. */
export function readCodeChallenge(
  raw: AuthorizeParameters,
  client: Client,
  responseType: ResponseType,
): CodeChallenge | null {
  if (responseType !== 'code') return null
  const policy = policyFor(client)
  const challenge = raw.code_challenge
  if (challenge === undefined) return allowAbsence(raw, policy)
  const method = readMethod(raw)
  if (policy === 'required-s256' && method !== 'S256') throw needsS256('code_challenge_method_not_s256')
  if (isChallengeShaped(challenge, method)) return { challenge, method }
  const rule =
    method === 'S256' ? 'be 43 base64url characters for S256' : 'be 43 to 128 unreserved characters for plain'
  throw new OauthError('invalid_request', 'code_challenge_malformed', `code_challenge must ${rule}.`)
}

// RFC 9700 2.1.1: public clients must use it, whatever their registration says
function policyFor(client: Client): PkcePolicy {
  return isPublic(client) && client.pkce === 'optional' ? 'required' : client.pkce
}

function allowAbsence(raw: AuthorizeParameters, policy: PkcePolicy): null {
  if (policy === 'required-s256') throw needsS256('code_challenge_missing')
  if (policy === 'required') {
    throw new OauthError(
      'invalid_request',
      'code_challenge_missing',
      'code_challenge is missing; this client must use PKCE.',
    )
  }
  if (raw.code_challenge_method === undefined) return null
  const description = 'code_challenge is missing although code_challenge_method is given.'
  throw new OauthError('invalid_request', 'code_challenge_missing', description)
}

function readMethod(raw: AuthorizeParameters): CodeChallengeMethod {
  // RFC 7636 4.3: absent means plain
  const value = raw.code_challenge_method ?? 'plain'
  const method = codeChallengeMethods.find(known => known === value)
  if (method !== undefined) return method
  throw new OauthError(
    'invalid_request',
    'code_challenge_method_unknown',
    'code_challenge_method must be S256 or plain.',
  )
}

function needsS256(reason: string): OauthError {
  const description =
    'This client must use PKCE with code_challenge_method S256; an absent method means plain.'
  return new OauthError('invalid_request', reason, description)
}
