/** Checks the code challenge (PKCE, RFC 7636) against the client's policy. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import {
  type CodeChallengeMethod,
  codeChallengeMethods,
  type PkcePolicy,
  type ResponseType,
} from '#lib/protocol/vocabulary.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import { isChallengeShaped } from '#lib/protocol/wire/pkce.ts'
import { sent } from './evidence.ts'

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
  if (policy === 'required-s256' && method !== 'S256')
    throw new OauthError('code_challenge_method_not_s256', { evidence: sent(method, ['S256']) })
  if (isChallengeShaped(challenge, method)) return { challenge, method }
  const rule = shapes[method]
  throw new OauthError('code_challenge_malformed', {
    description: `code_challenge must be ${rule} for ${method}.`,
    evidence: sent(`${challenge.length} characters`, [rule]),
  })
}

/** RFC 7636 4.2 */
const shapes: Readonly<Record<CodeChallengeMethod, string>> = {
  S256: '43 base64url characters',
  plain: '43 to 128 unreserved characters',
}

// RFC 9700 2.1.1: public clients must use it, whatever their registration says
function policyFor(client: Client): PkcePolicy {
  return isPublic(client) && client.pkce === 'optional' ? 'required' : client.pkce
}

function allowAbsence(raw: AuthorizeParameters, policy: PkcePolicy): null {
  if (policy === 'optional' && raw.code_challenge_method === undefined) return null
  const evidence = sent(undefined, ['code_challenge with code_challenge_method=S256'])
  throw new OauthError('code_challenge_missing', { description: whyMissing[policy], evidence })
}

const whyMissing: Readonly<Record<PkcePolicy, string>> = {
  'required-s256': 'code_challenge is missing; this client must use PKCE with code_challenge_method S256.',
  required: 'code_challenge is missing; this client must use PKCE.',
  optional: 'code_challenge is missing although code_challenge_method is given.',
}

function readMethod(raw: AuthorizeParameters): CodeChallengeMethod {
  // RFC 7636 4.3: absent means plain
  const value = raw.code_challenge_method ?? 'plain'
  const method = codeChallengeMethods.find(known => known === value)
  if (method !== undefined) return method
  throw new OauthError('code_challenge_method_unknown', { evidence: sent(value, codeChallengeMethods) })
}
