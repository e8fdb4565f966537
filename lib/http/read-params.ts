/** Reads the parameters of queries and forms, the same way for every endpoint (AZ-06, AZ-24, TK-01). */
import { bodyBytes, parameterLengths, queryCharacters, unknownParameterLength } from '#lib/config/limits.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'
import { type Parameters, parametersOf } from '#lib/protocol/wire/parameters.ts'
import { decodeForm, type Pairs } from './decode-form.ts'
import { readBody } from './read-body.ts'

/** The fields of one of our pages' forms and queries, each once; empty ones are absent. */
export type FormFields = Record<string, string>

/**
 * The query of a page.
 * @throws OauthError `uri_too_long`, or `invalid_request` for a repeated, oversized or badly encoded parameter
 */
export function readQuery(request: Request, maxCharacters: number = queryCharacters): FormFields {
  return formFields(decodeForm(queryText(request, maxCharacters)))
}

/** The query of a protocol endpoint. @throws OauthError as `readQuery` */
export function readQueryParameters(request: Request): Parameters {
  return readParameters(decodeForm(queryText(request)))
}

/**
 * The query of an API, where an empty value is one: its schemas decide what it means.
 * @throws OauthError as `readQuery`
 */
export function readFilters(request: Request): FormFields {
  const pairs = decodeForm(queryText(request))
  return { ...Object.fromEntries(pairs), ...formFields(pairs) }
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
 * The form of a page; the query is not looked at.
 * @throws OauthError `content_too_large`, `unsupported_media_type`, or `invalid_request` as above
 */
export async function readForm(request: Request, maxBytes: number = bodyBytes.form): Promise<FormFields> {
  return formFields(await readFormPairs(request, maxBytes))
}

/** The form of a protocol endpoint. @throws OauthError as `readForm` */
export async function readFormParameters(request: Request, maxBytes: number): Promise<Parameters> {
  return readParameters(await readFormPairs(request, maxBytes))
}

/** A form with a user name and passwords: a value that is too long is a wrong one, which the page shows. */
export async function readPasswordForm(request: Request): Promise<FormFields> {
  return formFields(await readFormPairs(request), { anyLength: ['username', 'current', 'password', 'again'] })
}

/** The same before repeated names are refused: for forms that have several boxes of one name. */
export async function readFormPairs(request: Read, maxBytes: number = bodyBytes.form): Promise<Pairs> {
  const pairs = decodeForm(await readBody(request, maxBytes))
  request[form] = pairs
  return pairs
}

const form = Symbol('form')
/** NOTE: a property, since a weak map with an entry for each request costs the garbage collector more. */
type Read = Request & { [form]?: Pairs }

/** What was sent, as far as it can be read: the form if it was read, else the query. Contains secrets; never throws. */
export function readSent(request: Read): Pairs {
  return request[form] ?? sentQuery(request)
}

function sentQuery(request: Request): Pairs {
  try {
    return decodeForm(queryText(request))
  } catch (error) {
    if (isOauthError(error)) return []
    throw error
  }
}

type Rules = {
  /** Names whose length another check decides on. */
  readonly anyLength?: readonly string[]
  /** Names that may come several times. */
  readonly repeatable?: readonly string[]
}

/**
 * RFC 6749 3.1: a repeated name is refused, and every length has its limit.
 * @throws OauthError `invalid_request` that names the parameter and the rule
 */
export function readParameters(pairs: Pairs, { anyLength = [], repeatable = [] }: Rules = {}): Parameters {
  const seen = new Set<string>()
  for (const [name, value] of pairs) {
    if (seen.has(name) && !repeatable.includes(name))
      throw malformed('parameter_repeated', `${label(name)} is given more than once.`)
    if (!anyLength.includes(name)) requireLength(name, value)
    seen.add(name)
  }
  return parametersOf(pairs)
}

/** The same as an object, without empty values. @throws OauthError as `readParameters` */
export function formFields(pairs: Pairs, rules: Rules = {}): FormFields {
  const parameters = readParameters(pairs, rules)
  return Object.fromEntries(
    parameters.names.flatMap(name => {
      const value = parameters.one(name)
      return value === null ? [] : [[name, value] as const]
    }),
  )
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
