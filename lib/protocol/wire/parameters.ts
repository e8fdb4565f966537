/**
 * The parameters of protocol requests: the rules for each name, and how the values of an authorization request are read
 * (RFC 6749 4.1.1, OpenID Connect Core 3.1.2.1, RFC 7636 4.3).
 */
import { bodyBytes, unknownParameterLength } from '#lib/config/limits.ts'
import { type ProviderScheme, providerSchemeSchema } from '../ids.ts'
import {
  type Prompt,
  prompts,
  type ResponseMode,
  type ResponseType,
  responseModes,
  responseTypeNames,
} from '../vocabulary.ts'

type ParameterRules = {
  /** The longest accepted value in characters; `unknownParameterLength` by default. */
  readonly longest?: number
  /**
   * The part that a request trace shows: the value; a URI without its fragment and the values of its query, which may
   * be secrets of the client; or only the name, for secrets and personal data.
   */
  readonly shown: 'value' | 'uri' | 'name'
  /** Whether it is a parameter of authorization requests. */
  readonly authorize?: true
  /** Whether it has an effect at the token endpoint with every grant type. */
  readonly everyGrant?: true
}

/** The rules, in the order in which an authorization request is stored and sent again. */
export const parameterRules = {
  client_id: { longest: 100, shown: 'value', authorize: true, everyGrant: true },
  scope: { longest: 1000, shown: 'value', authorize: true },
  redirect_uri: { longest: 2000, shown: 'uri', authorize: true },
  response_type: { longest: 100, shown: 'value', authorize: true },
  response_mode: { longest: 100, shown: 'value', authorize: true },
  // IdentityServer3 had no limit
  state: { longest: 4096, shown: 'name', authorize: true },
  nonce: { longest: 512, shown: 'name', authorize: true },
  prompt: { longest: 100, shown: 'value', authorize: true },
  max_age: { longest: 20, shown: 'value', authorize: true },
  login_hint: { longest: 255, shown: 'name', authorize: true },
  // The maximum size of a form, so that every ID token of this server is accepted, even with many claims of extensions
  id_token_hint: { longest: bodyBytes.form, shown: 'name', authorize: true },
  ui_locales: { longest: 100, shown: 'value', authorize: true },
  acr_values: { longest: 300, shown: 'value', authorize: true },
  // RFC 7636 4.2 limits the length
  code_challenge: { longest: 128, shown: 'value', authorize: true },
  code_challenge_method: { longest: 20, shown: 'value', authorize: true },
  // Listed only to be refused: OpenID Connect Core 6 and 7.2.1
  request: { shown: 'name', authorize: true },
  request_uri: { shown: 'name', authorize: true },
  registration: { shown: 'name', authorize: true },
  // Parameters without an effect
  display: { longest: 100, shown: 'value' },
  claims: { shown: 'name' },
  claims_locales: { longest: 100, shown: 'value' },
  resource: { shown: 'name' },
  audience: { shown: 'name' },
  authorization_details: { shown: 'name' },
  dpop_jkt: { shown: 'name' },
  access_type: { shown: 'name' },
  domain_hint: { shown: 'name' },

  grant_type: { longest: 200, shown: 'value', everyGrant: true },
  client_secret: { longest: 256, shown: 'name', everyGrant: true },
  client_assertion: { shown: 'name' },
  client_assertion_type: { shown: 'name' },
  assertion: { shown: 'name' },
  code: { longest: 100, shown: 'name' },
  // RFC 7636 4.1 limits the length
  code_verifier: { longest: 128, shown: 'name' },
  refresh_token: { longest: 100, shown: 'name' },
  username: { longest: 255, shown: 'name' },
  password: { longest: 1024, shown: 'name' },

  token: { longest: 51_200, shown: 'name' },
  access_token: { longest: 51_200, shown: 'name' },
  token_type_hint: { longest: 100, shown: 'value' },
  expectedScope: { longest: 100, shown: 'value' },
  logout_hint: { shown: 'name' },
  post_logout_redirect_uri: { longest: 2000, shown: 'uri' },
} as const satisfies Readonly<Record<string, ParameterRules>>

export type ParameterName = keyof typeof parameterRules

/** Returns the rules of a parameter; `null`: it is not known, so its name may also be a secret. */
export function rulesOf(name: string): ParameterRules | null {
  return isKnown(name) ? parameterRules[name] : null
}

function isKnown(name: string): name is ParameterName {
  return Object.hasOwn(parameterRules, name)
}

/** Returns the maximum length of a parameter, in characters. */
export function parameterLimit(name: string): number {
  return rulesOf(name)?.longest ?? unknownParameterLength
}

export function isTooLong(name: string, value: string): boolean {
  return value.length > parameterLimit(name)
}

/** The parameters of one protocol request, from a query or a form. */
export type Parameters = {
  /** Returns the first value that is not empty; `null` if there is none (RFC 6749 3.1). */
  readonly one: (name: string) => string | null
  /** Returns all values as sent, in order, including empty ones. */
  readonly all: (name: string) => readonly string[]
  /** The names, each once, in the order of the request. */
  readonly names: readonly string[]
}

export function parametersOf(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return {
    one: name => values.get(name)?.find(value => value !== '') ?? null,
    all: name => values.get(name) ?? [],
    names: [...values.keys()],
  }
}

/** Makes the parameters of an object, in which each name is unique. */
export function parametersFrom(values: Readonly<Record<string, string>>): Parameters {
  return parametersOf(Object.entries(values))
}

type AuthorizeParameterName = {
  [Name in ParameterName]: (typeof parameterRules)[Name] extends { readonly authorize: true } ? Name : never
}[ParameterName]

function isOfAuthorize(name: ParameterName): name is AuthorizeParameterName {
  return rulesOf(name)?.authorize === true
}

const authorizeNames = Object.keys(parameterRules).filter(isKnown).filter(isOfAuthorize)

/** The parameters of an authorization request. An empty parameter is absent. */
export type AuthorizeParameters = Readonly<Partial<Record<AuthorizeParameterName, string>>>

/** Selects the parameters of an authorization request. Unknown and empty parameters are left out (RFC 6749 3.1). */
export function readAuthorizeParameters(parameters: Parameters): AuthorizeParameters {
  const known: Partial<Record<AuthorizeParameterName, string>> = {}
  for (const name of authorizeNames) {
    const value = parameters.one(name)
    if (value !== null) known[name] = value
  }
  return known
}

/** Whether a parameter has an effect at the authorization endpoint. */
export function isReadByAuthorize(name: string): boolean {
  return isKnown(name) && isOfAuthorize(name)
}

/**
 * Returns the names of parameters that had no effect (RFC 6749 3.1 and 3.2: they are ignored), for events. Unknown
 * names are only counted, as `unknown:2`, because they may be secrets; those by which Microsoft's libraries report
 * their versions are left out.
 */
export function ignoredNames(
  names: readonly string[],
  hasEffect: (name: string) => boolean,
): readonly string[] {
  const known = names.filter(name => isKnown(name) && !hasEffect(name))
  const unknown = names.filter(name => !isKnown(name) && !name.toLowerCase().startsWith('x-client-')).length
  return unknown === 0 ? known : [...known, `unknown:${unknown}`]
}

export type ParameterPairs = ReadonlyArray<readonly [name: string, value: string]>

/** Returns the parameters as pairs, to send them again. */
export function authorizePairs(parameters: AuthorizeParameters): ParameterPairs {
  return Object.entries(parameters)
}

/** Parses a `response_type`; order and number of spaces do not matter, as in other lists. `null`: not supported. */
export function parseResponseType(value: string): ResponseType | null {
  const words = sortedWords(value)
  return responseTypeNames.find(type => sortedWords(type) === words) ?? null
}

/** Whether the response sends a token through the browser. Accepts unsupported response types. */
function bearsTokens(responseType: string): boolean {
  const words = responseType.split(' ')
  return words.includes('token') || words.includes('id_token')
}

function sortedWords(value: string): string {
  const words = value.split(' ').filter(word => word !== '')
  return words.sort().join(' ')
}

/** Returns the default mode of a response type (OAuth 2.0 Multiple Response Types 3 and 5). */
function defaultResponseMode(responseType: string): ResponseMode {
  return bearsTokens(responseType) ? 'fragment' : 'query'
}

/** Parses a `response_mode` for this response type. `null`: unknown, or it would put tokens into a query. */
export function parseResponseMode(value: string, responseType: string): ResponseMode | null {
  const mode = responseModes.find(known => known === value)
  if (mode === undefined) return null
  return mode === 'query' && bearsTokens(responseType) ? null : mode
}

/** Returns the response mode for an error, even when response type or mode are invalid. */
export function deliveryMode(responseType = '', responseMode = ''): ResponseMode {
  return parseResponseMode(responseMode, responseType) ?? defaultResponseMode(responseType)
}

/**
 * Parses a `prompt` parameter, which may have several words (OpenID Connect Core 3.1.2.1). `null`: a word is unknown.
 */
export function parsePrompt(value: string): readonly Prompt[] | null {
  const words = [...new Set(value.split(' ').filter(word => word !== ''))]
  const known = prompts.filter(prompt => words.some(word => word === prompt))
  return known.length === words.length ? known : null
}

export type AcrValues = {
  /** The identity provider in `idp:<name>`, which can be the local store. */
  readonly idp: ProviderScheme | null
  /** The tenant in `tenant:<name>`: any text without spaces, for the user service. */
  readonly tenant: string | null
  /** All other values, for the user service. */
  readonly others: readonly string[]
}

/**
 * Parses `acr_values`. They are voluntary (OpenID Connect Core 3.1.2.1): an invalid name of an identity provider is
 * ignored.
 */
export function parseAcrValues(value: string): AcrValues {
  const words = [...new Set(value.split(' ').filter(word => word !== ''))]
  return {
    idp: providerSchemeSchema.safeParse(firstAfter('idp:', words)).data ?? null,
    tenant: firstAfter('tenant:', words) || null,
    others: words.filter(word => !word.startsWith('idp:') && !word.startsWith('tenant:')),
  }
}

function firstAfter(prefix: string, words: readonly string[]): string {
  return words.find(word => word.startsWith(prefix))?.slice(prefix.length) ?? ''
}

// RFC 5646 2.1, simplified: letters and digits in groups of one to eight
const tagShape = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/
const mostTags = 10

/**
 * Parses `ui_locales`: the first ten language tags, in order of preference. Other values are left out, so that they
 * cannot become a path or appear on a page.
 */
export function parseUiLocales(value: string): readonly string[] {
  return value
    .split(' ')
    .filter(tag => tagShape.test(tag))
    .slice(0, mostTags)
}
