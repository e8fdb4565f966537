/** Reads the code challenge of an authorization request (RFC 7636 4.3) and applies the client's PKCE policy. */
import { sent } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import {
  type CodeChallengeMethod,
  codeChallengeMethods,
  type PkcePolicy,
  type ResponseType,
  responseTypeRow,
} from '#lib/protocol/vocabulary.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/parameters.ts'
import { challengeShapes } from '#lib/protocol/wire/pkce.ts'
import { openidScope, scopeWords } from '#lib/protocol/wire/scopes.ts'

export type CodeChallenge = { readonly challenge: string; readonly method: CodeChallengeMethod }

/**
 * Checks that the challenge has the format of its method and satisfies the policy. Returns `null` if there is none and the policy
 * allows that. A response without a code needs no challenge: a given one is ignored.
 */
export function readCodeChallenge(
  raw: AuthorizeParameters,
  client: Client,
  responseType: ResponseType,
): CodeChallenge | null {
  if (!responseTypeRow(responseType).code) return null
  // RFC 9700 2.1.1: public clients must use PKCE, regardless of their registration
  const policy = isPublic(client) ? requiredOf[client.pkce] : client.pkce
  const challenge = raw.code_challenge
  if (challenge === undefined) return allowAbsence(raw, policy)
  const method = readMethod(raw)
  if (requiredOf[policy] === 'required-s256' && method !== 'S256')
    throw new OauthError('code_challenge_method_not_s256', { evidence: sent(method, ['S256']) })
  const { pattern, words } = challengeShapes[method]
  if (pattern.test(challenge)) return { challenge, method }
  throw new OauthError('code_challenge_malformed', {
    description: `code_challenge must be ${words} for ${method}.`,
    evidence: sent(`${challenge.length} characters`, [words]),
  })
}

/** For each policy, the one that applies if the client must use PKCE. */
const requiredOf = {
  'required-s256': 'required-s256',
  's256-or-nonce': 'required-s256',
  required: 'required',
  optional: 'required',
} as const satisfies Readonly<Record<PkcePolicy, PkcePolicy>>

function allowAbsence(raw: AuthorizeParameters, policy: PkcePolicy): null {
  const isWithoutPkce = raw.code_challenge_method === undefined
  if (policy === 'optional' && isWithoutPkce) return null
  const s256 = 'code_challenge with code_challenge_method=S256'
  if (policy !== 's256-or-nonce' || !isWithoutPkce) {
    const description = whyMissing[policy]
    throw new OauthError('code_challenge_missing', { description, evidence: sent(undefined, [s256]) })
  }
  // RFC 9700 4.5.3.2: a nonce protects only if an ID token returns it
  if (raw.nonce !== undefined && scopeWords(raw.scope ?? '').includes(openidScope)) return null
  const evidence = sent(undefined, [s256, 'nonce with scope openid'])
  throw new OauthError('code_challenge_and_nonce_missing', { evidence })
}

const whyMissing: Readonly<Record<PkcePolicy, string>> = {
  'required-s256': 'code_challenge is missing; this client must use PKCE with code_challenge_method S256.',
  's256-or-nonce': 'code_challenge is missing although code_challenge_method is given.',
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
