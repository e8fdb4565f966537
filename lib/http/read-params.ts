/** Reads parameters into one flat record, the same way for every endpoint (AZ-06, AZ-24, TK-01). */
import { bodyBytes, parameterLengths, queryCharacters, unknownParameterLength } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'
import { decodeForm, type Pairs } from './decode-form.ts'
import { readBody } from './read-body.ts'

export type Parameters = Record<string, string>

/**
 * The query's parameters.
 * @throws OauthError `uri_too_long`, or `invalid_request` for a repeated, oversized or badly encoded parameter
 */
export function readQuery(request: Request, maxCharacters: number = queryCharacters): Parameters {
  return flatten(decodeForm(queryText(request, maxCharacters)))
}

/**
 * The query as it came.
 * NOTE: of `request.url` only path and query are the same in both hosts.
 * @throws OauthError `uri_too_long`
 */
export function queryText({ url }: Request, maxCharacters: number = queryCharacters): string {
  const start = url.indexOf('?')
  const query = start === -1 ? '' : url.slice(start + 1)
  if (query.length > maxCharacters) {
    const description = `The query is longer than ${maxCharacters} characters.`
    throw new OauthError('query_too_long', { description })
  }
  return query
}

/**
 * The parameters of a form body; the query is not looked at.
 * @throws OauthError `content_too_large`, or `invalid_request` as above and for any other content type
 */
export async function readForm(request: Request, maxBytes: number = bodyBytes.form): Promise<Parameters> {
  return flatten(await readFormPairs(request, maxBytes))
}

/**
 * The form of the token endpoint. CD-09: a `code_verifier` that was sent empty was sent. Everything else that comes
 * empty is missing, and `code` and `redirect_uri` must not be (CD-07).
 */
export async function readTokenForm(request: Request): Promise<Parameters> {
  return flatten(await readFormPairs(request, bodyBytes.token), { keptEmpty: ['code_verifier'] })
}

/** A form with a user name and passwords: a value that is too long is a wrong one, which the page shows. */
export async function readPasswordForm(request: Request): Promise<Parameters> {
  return flatten(await readFormPairs(request), { anyLength: ['username', 'current', 'password', 'again'] })
}

/** The same before repeated names are refused: for forms that have several boxes of one name. */
export async function readFormPairs(request: Request, maxBytes: number = bodyBytes.form): Promise<Pairs> {
  return decodeForm(await readBody(request, maxBytes))
}

type Rules = {
  /** Names of which an empty value counts. */
  readonly keptEmpty?: readonly string[]
  /** Names of which a long value is a wrong one, for others to say. */
  readonly anyLength?: readonly string[]
}

/**
 * RFC 6749 3.1: an empty value counts as absent, a repeated name is refused; and every length has its limit.
 * @throws OauthError `invalid_request` that names the parameter and the rule
 */
export function flatten(pairs: Pairs, { keptEmpty = [], anyLength = [] }: Rules = {}): Parameters {
  const seen = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (seen.has(name)) throw malformed('parameter_repeated', `${label(name)} is given more than once.`)
    if (!anyLength.includes(name)) requireLength(name, value)
    seen.set(name, value)
  }
  return Object.fromEntries([...seen].filter(([name, value]) => value !== '' || keptEmpty.includes(name)))
}

function requireLength(name: string, value: string): void {
  const longest = Object.hasOwn(parameterLengths, name) ? parameterLengths[name] : unknownParameterLength
  if (longest === undefined || value.length <= longest) return
  throw malformed('parameter_too_long', `${label(name)} is longer than ${longest} characters.`)
}

/** A name that a client made up is not repeated to it unless it is plain (TK-18). */
function label(name: string): string {
  return /^[A-Za-z][A-Za-z_]{0,40}$/.test(name) ? `The parameter ${name}` : 'A parameter'
}

function malformed(reason: ReasonFor<'invalid_request'>, description: string): OauthError {
  return new OauthError(reason, { description })
}
