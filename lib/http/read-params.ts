/**
 * Reads queries and bodies in one way for every endpoint (AZ-06, AZ-24, TK-01), up to a limit (FW-04, LIM-02). Input that
 * cannot be decoded exactly is refused, not corrected.
 */
import { bodyBytes, mostParameters, queryCharacters } from '#lib/config/limits.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import { type Parameters, parameterLimit, parametersOf } from '#lib/protocol/wire/parameters.ts'
import { formType, mediaType, requireMediaType } from './media-type.ts'

/** The fields of the forms and queries of pages, each sent once; empty ones are absent, except from `readFilters`. */
export type FormFields = Record<string, string>

/**
 * Reads the query of a page.
 * @throws OauthError `uri_too_long`, or `invalid_request` for too many parameters and for a repeated, oversized or
 * badly encoded one
 */
export function readQuery(request: Request): FormFields {
  return formFields(decodeForm(queryText(request)))
}

/** Reads the query of a protocol endpoint. @throws OauthError like `readQuery` */
export function readQueryParameters(request: Request, rules: Rules = {}): Parameters {
  return readParameters(decodeForm(queryText(request)), rules)
}

/**
 * Reads the query of an API. Empty values are kept: the API's schemas define their meaning.
 * @throws OauthError like `readQuery`
 */
export function readFilters(request: Request): FormFields {
  const pairs = decodeForm(queryText(request))
  return { ...Object.fromEntries(pairs), ...formFields(pairs) }
}

/**
 * Returns the query as sent.
 * NOTE: only path and query of `request.url` are the same under Next and under the server's direct routes.
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
 * Reads the form of a page; the query is ignored.
 * @throws OauthError like `readBody`, or `invalid_request` like `readQuery`
 */
export async function readForm(request: Request, maxBytes: number = bodyBytes.form): Promise<FormFields> {
  return formFields(await readFormPairs(request, maxBytes))
}

/** Reads the form of a protocol endpoint. @throws OauthError like `readForm` */
export function readFormParameters(request: Request, maxBytes: number): Promise<Parameters> {
  return readFormPairs(request, maxBytes).then(pairs => readParameters(pairs))
}

/** Reads a form with a user name and passwords. These may have any length here: the page reports what is wrong. */
export async function readPasswordForm(request: Request): Promise<FormFields> {
  return formFields(await readFormPairs(request), { anyLength: ['username', 'current', 'password', 'again'] })
}

/** Reads the pairs of a form; names may repeat, for several checkboxes with one name. */
export async function readFormPairs(
  request: RequestWithForm,
  maxBytes: number = bodyBytes.form,
): Promise<Pairs> {
  const pairs = decodeForm(await readBody(request, maxBytes))
  rememberForm(request, pairs)
  return pairs
}

const form = Symbol('form')
type RequestWithForm = Request & { [form]?: Pairs }

/**
 * Stores the pairs in a property of the request. NOTE: a weak map with an entry for each request takes more time in the
 * garbage collector.
 */
function rememberForm(request: RequestWithForm, pairs: Pairs): void {
  request[form] = pairs
}

/**
 * Returns the sent pairs, if they can be read: those of the form if it was read, otherwise those of the query. They
 * may contain secrets.
 */
export function readSent(request: RequestWithForm): Pairs {
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
  /** Names whose length another check limits. */
  readonly anyLength?: readonly string[]
  /** Names that may be repeated. */
  readonly repeatable?: readonly string[]
}

/**
 * Reads pairs. RFC 6749 3.1: a repeated name is refused, and every length is limited, unless the rules allow it.
 * @throws OauthError `invalid_request`
 */
export function readParameters(pairs: Pairs, { anyLength = [], repeatable = [] }: Rules = {}): Parameters {
  const parameters = parametersOf(pairs)
  if (parameters.names.length < pairs.length) requireSingle(parameters, repeatable)
  for (const [name, value] of pairs) if (!anyLength.includes(name)) requireLength(name, value)
  return parameters
}

function requireSingle({ names, all }: Parameters, repeatable: readonly string[]): void {
  const repeated = names.find(name => all(name).length > 1 && !repeatable.includes(name))
  if (repeated === undefined) return
  throw new OauthError('parameter_repeated', { description: `${label(repeated)} is given more than once.` })
}

/** Returns the parameters as an object, without empty values. @throws OauthError like `readParameters` */
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
  const longest = parameterLimit(name)
  if (value.length <= longest) return
  throw new OauthError('parameter_too_long', {
    description: `${label(name)} is longer than ${longest} characters.`,
  })
}

/** Returns the words for a parameter in an error description. A name is quoted only if it is plain (TK-18). */
function label(name: string): string {
  return /^[A-Za-z][A-Za-z_]{0,40}$/.test(name) ? `The parameter ${name}` : 'A parameter'
}

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/**
 * Decodes a form.
 * @throws OauthError `invalid_request` for broken percent-encoding, bytes that are not UTF-8, NUL, or too many
 * parameters
 */
export function decodeForm(text: string): Pairs {
  return splitForm(text).map(decodePair)
}

/** Splits a form into its parameters, still encoded. @throws OauthError `invalid_request` when there are too many */
export function splitForm(text: string): readonly string[] {
  const parts = text.split('&', mostParameters + 1)
  if (parts.length > mostParameters) throw new OauthError('too_many_parameters')
  return parts.filter(part => part !== '')
}

/** Encodes pairs, with `%20` for spaces, which all decoders read in the same way. */
export function encodeForm(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

/** Returns the path with a query of the fields that have a value. */
export function withQuery(
  path: string,
  fields: ReadonlyArray<readonly [name: string, value: string | null]>,
): string {
  const given = fields.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return given.length === 0 ? path : `${path}?${encodeForm(given)}`
}

/** Decodes one parameter of a form. @throws OauthError `invalid_request` like `decodeForm` */
export function decodePair(part: string): readonly [string, string] {
  const cut = part.indexOf('=')
  if (cut === -1) return [decodeText(part), '']
  return [decodeText(part.slice(0, cut)), decodeText(part.slice(cut + 1))]
}

function decodeText(text: string): string {
  const decoded = decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  if (decoded.includes('\u0000')) throw new OauthError('nul_character')
  return decoded
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw new OauthError('bad_encoding', { description: 'A parameter is not valid percent-encoded UTF-8.' })
  }
}

/**
 * Reads the body of a form, still encoded; empty when there is no body.
 * @throws OauthError `unsupported_media_type` for a body with another or no content type, or another charset or
 * encoding; `content_too_large`, `request_timeout`, or `invalid_request` for a body that ends early or is not UTF-8
 */
export function readBody(request: Request, maxBytes: number): Promise<string> {
  return readTextBody(request, formType, maxBytes)
}

async function readTextBody(request: Request, wanted: string, maxBytes: number): Promise<string> {
  const type = request.headers.get('content-type')
  requireMediaType(request, type, wanted)
  const text = await readText(request, maxBytes).catch(reportIncomplete)
  if (type === null && text !== '')
    throw new OauthError('content_type_missing', { description: `Send ${wanted}.` })
  if (text.includes('\ufffd'))
    throw new OauthError('bad_encoding', { description: 'The body is not valid UTF-8.' })
  return text
}

export function isForm(request: Request): boolean {
  return mediaType(request.headers.get('content-type') ?? '') === formType
}

/**
 * Reads a JSON body; `undefined` when there is no body.
 * @throws OauthError like `readBody`, or `invalid_request` for a body that is not JSON or repeats a key
 */
export async function readJson(request: Request): Promise<JsonValue | undefined> {
  const text = await readTextBody(request, 'application/json', bodyBytes.admin)
  if (text === '') return undefined
  try {
    const parsed = parseStrictJson(text)
    if ('value' in parsed) return parsed.value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new OauthError('not_json')
  }
  throw new OauthError('repeated_key')
}

/**
 * Reads the text of a body. NOTE: comparing the declared length and reading the whole body is twice as fast as counting the
 * stream.
 */
function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (declared === null) return readStream(request, maxBytes)
  if (!(Number(declared) <= maxBytes)) throw new OauthError('body_too_large')
  return request.text()
}

async function readStream(request: Request, maxBytes: number): Promise<string> {
  const reader = request.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.byteLength
    if (bytes > maxBytes) throw new OauthError('body_too_large')
    text += decoder.decode(chunk.value, { stream: true })
  }
  return text + decoder.decode()
}

/** Converts the error of an incomplete body: a caller that disconnects or is too slow does not cause an internal error. */
function reportIncomplete(error: unknown): never {
  const code = codeOf(error)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') throw new OauthError('body_timeout')
  if (!/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+|ABORT_ERR)$/.test(code)) throw error
  throw new OauthError('body_incomplete')
}

/** Returns the code of an error. NOTE: the host passes on the connection's error, or wraps it. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if ('name' in error && error.name === 'AbortError') return 'ABORT_ERR'
  return 'cause' in error ? codeOf(error.cause) : ''
}
