/** The query of an authorization request: what is wrong with one parameter does not hide the others. */
import { bodyBytes, queryCharacters } from '#lib/config/limits.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { type Parameters, parametersOf } from '#lib/protocol/wire/parameters.ts'
import { decodePair, type Pairs, queryText, readBody, readParameters, splitForm } from './read-params.ts'

export type AuthorizeQuery = {
  /** Each that came once, whole and in its length. */
  readonly parameters: Parameters
  /** Of those that did not: what is wrong with the first. */
  readonly fault: OauthError | null
}

/**
 * RFC 6749 4.1.2.1: a fault is reported at a valid redirect URI, so it is kept until the redirect URI is verified.
 * @throws OauthError `uri_too_long`, or `invalid_request` for too many parameters and for a `client_id` or
 *   `redirect_uri` that is repeated, oversized or badly encoded: without these there is no verified redirect URI
 */
export function readAuthorizeQuery(request: Request): AuthorizeQuery {
  const entries: Array<readonly [name: string, value: string]> = []
  let fault: OauthError | null = null
  for (const [name, parts] of Map.groupBy(splitForm(queryText(request)), nameIn)) {
    const read = readOne(name, parts)
    if (isOauthError(read)) fault ??= read
    else entries.push(...read)
  }
  return { parameters: parametersOf(entries), fault }
}

/**
 * The form of an authorization request that came by POST as the query that asks for the same, faults included.
 * @throws OauthError `content_too_large`, or `invalid_request` for a body that is not a form
 */
export async function authorizeQueryOf(request: Request): Promise<string> {
  const form = await readBody(request, bodyBytes.form)
  const query = form.replaceAll(/[^\w.~%&=+*-]/gu, encodeURIComponent)
  if (query.length > queryCharacters) {
    const description = `The request is longer than ${queryCharacters} characters.`
    throw new OauthError('authorize_post_too_long', { description })
  }
  return query
}

const neededForProof: ReadonlySet<string> = new Set(['client_id', 'redirect_uri'])

function readOne(name: string, parts: readonly string[]): Pairs | OauthError {
  const read = attempt(() => {
    const pairs = parts.map(decodePair)
    readParameters(pairs)
    return pairs
  })
  if (isOauthError(read) && neededForProof.has(name)) throw read
  return read
}

/** A name that cannot be decoded stands for itself. */
function nameIn(part: string): string {
  const [encoded = ''] = part.split('=', 1)
  const name = attempt(() => decodePair(encoded)[0])
  return isOauthError(name) ? encoded : name
}

function attempt<T>(read: () => T): T | OauthError {
  try {
    return read()
  } catch (error) {
    if (isOauthError(error)) return error
    throw error
  }
}
