/** The parameters of an authorization request (RFC 6749 4.1.1, OpenID Connect Core 3.1.2.1, RFC 7636 4.3). */
import { type ProviderScheme, providerSchemeSchema } from '../ids.ts'
import {
  type Prompt,
  prompts,
  type ResponseMode,
  type ResponseType,
  responseModes,
  responseTypes,
} from '../vocabulary.ts'
import type { Parameters } from './parameters.ts'

const names = [
  'client_id',
  'scope',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'acr_values',
  'code_challenge',
  'code_challenge_method',
  // Known only to be refused, see OpenID Connect Core 6 and 7.2.1
  'request',
  'request_uri',
  'registration',
] as const

type AuthorizeParameterName = (typeof names)[number]

/** Absent and empty are the same: both have no member here. */
export type AuthorizeParameters = Readonly<Partial<Record<AuthorizeParameterName, string>>>

/** Keeps what an authorization request is made of. Unknown and empty parameters do not exist (RFC 6749 3.1). */
export function readAuthorizeParameters(parameters: Parameters): AuthorizeParameters {
  const known: Partial<Record<AuthorizeParameterName, string>> = {}
  for (const name of names) {
    const value = parameters.one(name)
    if (value !== null) known[name] = value
  }
  return known
}

export type ParameterPairs = ReadonlyArray<readonly [name: string, value: string]>

/** The parameters as they are sent again. */
export function authorizePairs(parameters: AuthorizeParameters): ParameterPairs {
  return Object.entries(parameters)
}

/** Reads a `response_type`; the order of its words does not matter. `null`: not supported. */
export function parseResponseType(value: string): ResponseType | null {
  const words = sortedWords(value)
  return responseTypes.find(type => sortedWords(type) === words) ?? null
}

/** Whether the answer carries a token through the browser. Also reads response types we do not know. */
function bearsTokens(responseType: string): boolean {
  const words = responseType.split(' ')
  return words.includes('token') || words.includes('id_token')
}

function sortedWords(value: string): string {
  return value.split(' ').sort().join(' ')
}

/** The mode a response type has by itself (OAuth 2.0 Multiple Response Types 3 and 5). */
function defaultResponseMode(responseType: string): ResponseMode {
  return bearsTokens(responseType) ? 'fragment' : 'query'
}

/** Reads a `response_mode` for this response type. `null`: unknown, or it would put tokens into a query. */
export function parseResponseMode(value: string, responseType: string): ResponseMode | null {
  const mode = responseModes.find(known => known === value)
  if (mode === undefined) return null
  return mode === 'query' && bearsTokens(responseType) ? null : mode
}

/** The response mode for an error, also when response type or mode are invalid. */
export function deliveryMode(responseType = '', responseMode = ''): ResponseMode {
  return parseResponseMode(responseMode, responseType) ?? defaultResponseMode(responseType)
}

/** Reads a `prompt` parameter, several words allowed (OpenID Connect Core 3.1.2.1). `null`: a word is unknown. */
export function parsePrompt(value: string): readonly Prompt[] | null {
  const words = [...new Set(value.split(' ').filter(word => word !== ''))]
  const known = prompts.filter(prompt => words.some(word => word === prompt))
  return known.length === words.length ? known : null
}

export type AcrValues = {
  /** From `idp:<name>`: the identity provider that the client asks for; can be our own store. */
  readonly idp: ProviderScheme | null
  /** From `tenant:<name>`, opaque to us, for the user service. */
  readonly tenant: string | null
  /** Everything else, for the user service. */
  readonly others: readonly string[]
}

// Names only: neither an address nor a path fits
const tenantShape = /^[\p{L}\p{N}._~@-]{1,100}$/u

/** Reads `acr_values`. They are wishes, so a malformed `idp:` or `tenant:` is left out and nothing is refused. */
export function parseAcrValues(value: string): AcrValues {
  const words = [...new Set(value.split(' ').filter(word => word !== ''))]
  return {
    idp: providerSchemeSchema.safeParse(firstAfter('idp:', words)).data ?? null,
    tenant: parseTenant(firstAfter('tenant:', words)),
    others: words.filter(word => !word.startsWith('idp:') && !word.startsWith('tenant:')),
  }
}

function firstAfter(prefix: string, words: readonly string[]): string {
  return words.find(word => word.startsWith(prefix))?.slice(prefix.length) ?? ''
}

function parseTenant(name: string): string | null {
  return tenantShape.test(name) ? name : null
}

// RFC 5646 2.1, loosely: letters and digits in groups of one to eight
const tagShape = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/
const mostTags = 10

/**
 * Reads `ui_locales`: the first ten language tags, in order of preference.
 * Other values are left out, so that none can be a path or reach a page.
 */
export function parseUiLocales(value: string): readonly string[] {
  return value
    .split(' ')
    .filter(tag => tagShape.test(tag))
    .slice(0, mostTags)
}
