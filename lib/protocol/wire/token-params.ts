/** The parameters of a token request for each grant type: RFC 6749 4.1.3, 4.3.2, 4.4.2 and 6, RFC 7636 4.5. */
import { z } from 'zod'
import type { Parameters } from './parameters.ts'

const required = z.string()
const optional = z.string().nullable()

const grantParameters = {
  authorization_code: z.object({
    grant_type: z.literal('authorization_code'),
    code: required,
    redirect_uri: required,
    /** An empty one was sent, too: it is a wrong one. */
    code_verifier: optional,
  }),
  client_credentials: z.object({ grant_type: z.literal('client_credentials'), scope: optional }),
  password: z.object({
    grant_type: z.literal('password'),
    username: required,
    password: required,
    scope: optional,
    /** An extension of IdentityServer3. */
    acr_values: optional,
  }),
  refresh_token: z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: required,
    scope: optional,
  }),
} as const

export type BuiltInGrantType = keyof typeof grantParameters
export type TokenRequest = {
  readonly [Type in BuiltInGrantType]: Readonly<z.infer<(typeof grantParameters)[Type]>>
}
/** One of them, discriminated by `grant_type`. */
export type AnyTokenRequest = TokenRequest[BuiltInGrantType]

type RequiredName = 'code' | 'redirect_uri' | 'username' | 'password' | 'refresh_token'

/** Whether this server answers the grant type without an extension. */
export function isBuiltInGrantType(grantType: string): grantType is BuiltInGrantType {
  return Object.hasOwn(grantParameters, grantType)
}

/** The request of one grant type, or the first required parameter that is missing. */
export function readTokenRequest(
  grantType: BuiltInGrantType,
  parameters: Parameters,
): { readonly request: AnyTokenRequest } | { readonly missing: RequiredName } {
  const schema = grantParameters[grantType]
  const [verifier = null] = parameters.all('code_verifier')
  const values = knownNames[grantType].own.map(name => [
    name,
    name === 'code_verifier' ? verifier : parameters.one(name),
  ])
  const parsed = schema.safeParse(Object.fromEntries(values))
  if (parsed.success) return { request: parsed.data }
  const missing = requiredNames.find(name => parsed.error.issues.some(({ path }) => path[0] === name))
  if (missing === undefined)
    throw new Error('a token request was refused for another reason than a missing value')
  return { missing }
}

const requiredNames: readonly RequiredName[] = [
  'code',
  'redirect_uri',
  'username',
  'password',
  'refresh_token',
]

/** Of client authentication (RFC 6749 2.3.1), whatever the grant type. */
const clientParameters = ['client_id', 'client_secret']

/** The names that a grant type does not use, for the request trace (RFC 6749 3.2: they are ignored). Only plain names. */
export function ignoredParameters(grantType: BuiltInGrantType, parameters: Parameters): readonly string[] {
  const { all } = knownNames[grantType]
  return parameters.names.filter(name => !all.has(name) && /^[\w.-]{1,50}$/.test(name))
}

type KnownNames = { readonly own: readonly string[]; readonly all: ReadonlySet<string> }

/** NOTE: made once, since every token request needs them. */
const knownNames: Readonly<Record<BuiltInGrantType, KnownNames>> = {
  authorization_code: knownNamesOf('authorization_code'),
  client_credentials: knownNamesOf('client_credentials'),
  password: knownNamesOf('password'),
  refresh_token: knownNamesOf('refresh_token'),
}

function knownNamesOf(grantType: BuiltInGrantType): KnownNames {
  const own = Object.keys(grantParameters[grantType].shape)
  return { own, all: new Set([...own, ...clientParameters]) }
}
