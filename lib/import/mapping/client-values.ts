/** The fields of clients and scopes that both products have, and functions that read their values. */
import { longestLifetimeSeconds } from '#lib/config/limits.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { webAddressSchema } from '#lib/protocol/registration/fields.ts'
import { redirectUriProblem } from '#lib/protocol/wire/redirect-uri.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { type Fields, fieldsOf } from '../source/tables.ts'
import {
  claimValue,
  copied,
  type FieldRule,
  fieldIn,
  flag,
  flagIn,
  groupedBy,
  lifetime,
  list,
  type Note,
  note,
  oneOf,
  optional,
  or,
  type Reading,
  text,
  texts,
  WrongValue,
} from './field-map.ts'

/**
 * Reads the ID of a client or the name of a scope.
 * @throws {WrongValue} when it is missing, because nothing can be imported without it
 */
export function requiredName(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new WrongValue('is missing')
}

/** The rule for an address that is only displayed: an invalid one is left out. */
function webAddress(field: string, ours: string, why?: string): FieldRule {
  return {
    field,
    becomes: [ours],
    ...(why === undefined ? {} : { why }),
    read: value => {
      if (value === null || value === '') return {}
      const isAddress = webAddressSchema.safeParse(value).success
      const changed = isAddress ? (why ?? null) : `${field} is left out: it is not an http or https address`
      const notes = changed === null ? [] : [note('changed', field, changed)]
      return isAddress ? { fields: { [ours]: text(value) }, notes } : { notes }
    },
  }
}

/** The maximum length of a URI in the report. */
const longestUri = 200

/**
 * The rule for a list of URIs. Each URI that cannot be registered is noted and left out. The client becomes a native
 * app if it has a URI that only native apps may use.
 */
function redirectUris(field: string, ours: 'redirect_uris' | 'post_logout_redirect_uris'): FieldRule {
  return {
    field,
    becomes: [ours, 'application_type'],
    why: 'letter case counts; http only for loopback addresses',
    read: value => {
      const given = or(texts, [])(value)
      const problems = given.map(uri => redirectUriProblem(uri, 'native', 'stored'))
      const good = given.filter((_uri, index) => problems[index] === null)
      const isNative = good.some(uri => redirectUriProblem(uri, 'web', 'stored') !== null)
      return {
        fields: { [ours]: good, ...(isNative ? { application_type: 'native' } : {}) },
        notes: problems.flatMap((problem, index) => {
          const uri = JSON.stringify(given[index]?.slice(0, longestUri))
          return problem === null ? [] : [note('left_out', `${field}[${index}]`, `${uri} ${problem}`)]
        }),
      }
    },
  }
}

/**
 * Joins the names of scopes to one text. An entry that is not a single name is left out: its words would become names
 * of other scopes.
 */
export function allowedScopes(value: unknown, { isOffline = false } = {}): Reading {
  const given = [...or(texts, [])(value), ...(isOffline ? ['offline_access'] : [])]
  const isName = (name: string) => scopeWords(name).length === 1 && name.trim() === name
  return {
    fields: { scope: given.filter(isName).join(' ') },
    notes: given
      .filter(name => !isName(name))
      .map(name => {
        const problem = `${JSON.stringify(name)} is not the name of a scope: names have no blanks`
        return note('left_out', 'AllowedScopes', problem)
      }),
  }
}

/**
 * Reads origins. A URL without a path becomes its origin: `https://App.example/` becomes `https://app.example`. Other
 * values are unchanged, and are refused later.
 */
function originsOf(value: unknown): readonly string[] {
  const given = or(texts, [])(value)
  const origins = given.map(origin => {
    const url = URL.canParse(origin) ? new URL(origin) : null
    return url !== null && `${url.origin}/` === url.href ? url.origin : origin
  })
  return [...new Set(origins)]
}

/** Reads the claims of a client by their type. */
function claimsOf(value: unknown): Readonly<Record<string, JsonValue>> {
  const claims = [...groupedBy(value, 'Type')].map(
    ([type, rows]) => [type, claimValue(rows.map(row => text(fieldIn(row, 'Value'))))] as const,
  )
  return Object.fromEntries(claims)
}

/** Returns the names of a scope's claims, which are texts or objects with a name. */
export function claimNames(value: unknown): readonly string[] {
  const names = list(value ?? []).map(entry =>
    typeof entry === 'string' ? entry : text(fieldIn(fieldsOf(entry), 'Name', 'Type')),
  )
  return [...new Set(names)]
}

/** Returns the claims of a scope that ID tokens contain even when there is an access token. */
export function alwaysIncluded(value: unknown): readonly string[] {
  const entries = list(value ?? []).map(fieldsOf)
  const included = entries.filter(fields => flagIn(fields, 'AlwaysIncludeInIdToken', false))
  return claimNames(included.map(fields => fieldIn(fields, 'Name', 'Type')))
}

/** Returns the response types that a client with the implicit flow may request. */
export function implicitResponseTypes(hasAccessTokens: boolean): readonly string[] {
  return hasAccessTokens ? ['id_token token', 'id_token', 'token'] : ['id_token']
}

/** Returns the response types of a client with a hybrid flow. */
export function hybridResponseTypes(hasAccessTokens: boolean): readonly string[] {
  return hasAccessTokens ? ['code id_token', 'code id_token token', 'code token'] : ['code id_token']
}

/** The note about a client that gets access tokens from the authorization endpoint. */
export function shortAccessTokens(field: string): Note {
  return note(
    'changed',
    field,
    'access tokens from the authorization endpoint are valid for at most 10 minutes',
  )
}

/** The rules for the fields that both products have about a client itself. */
export const clientNames: readonly FieldRule[] = [
  copied('Enabled', 'enabled', flag, { otherwise: true }),
  copied('ClientId', 'client_id', requiredName),
  optional('ClientName', 'client_name'),
  webAddress('ClientUri', 'client_uri'),
  webAddress('LogoUri', 'logo_uri', 'a logo is shown only if it is on this server’s own origin'),
]

/** The rules for the addresses of clients that both products have. */
export const clientAddresses: readonly FieldRule[] = [
  redirectUris('RedirectUris', 'redirect_uris'),
  redirectUris('PostLogoutRedirectUris', 'post_logout_redirect_uris'),
  copied('AllowedCorsOrigins', 'allowed_cors_origins', originsOf),
]

/** The rules for fields of scopes that both products have, with the same defaults. */
export const scopeSettings: readonly FieldRule[] = [
  copied('Enabled', 'enabled', flag, { otherwise: true }),
  copied('Name', 'name', requiredName),
  optional('DisplayName', 'display_name'),
  optional('Description', 'description'),
  copied('Required', 'required', flag, { otherwise: false }),
  copied('Emphasize', 'emphasize', flag, { otherwise: false }),
  copied('ShowInDiscoveryDocument', 'show_in_discovery', flag, { otherwise: true }),
]

const accessTokenTypes = { Jwt: 'jwt', Reference: 'reference' } as const
const usages = { ReUse: 'reuse', OneTimeOnly: 'one_time' } as const
const expirations = { Sliding: 'sliding', Absolute: 'absolute' } as const
const expiration = oneOf(['Sliding', 'Absolute'])

/** Whether the client's refresh tokens have a sliding lifetime, which each use extends. */
export function isSliding(all: Fields): boolean {
  return or(expiration, 'Absolute')(fieldIn(all, 'RefreshTokenExpiration')) === 'Sliding'
}

/**
 * Returns the rules for fields of clients about tokens that both products have, with the same defaults.
 * `isZeroUnlimited`: whether an absolute lifetime of 0 means that refresh tokens have no absolute expiry.
 */
export const tokenSettings = (isZeroUnlimited: (all: Fields) => boolean): readonly FieldRule[] => [
  copied(
    'AccessTokenType',
    'access_token_type',
    value => accessTokenTypes[oneOf(['Jwt', 'Reference'])(value)],
    { otherwise: 'jwt' },
  ),
  lifetime('IdentityTokenLifetime', 'id_token_lifetime', {
    otherwise: 300,
    longest: longestLifetimeSeconds.identityToken,
  }),
  lifetime('AccessTokenLifetime', 'access_token_lifetime', {
    otherwise: 3600,
    longest: longestLifetimeSeconds.accessToken,
  }),
  lifetime('AuthorizationCodeLifetime', 'authorization_code_lifetime', {
    otherwise: 300,
    longest: longestLifetimeSeconds.authorizationCode,
  }),
  lifetime('AbsoluteRefreshTokenLifetime', 'absolute_refresh_token_lifetime', {
    otherwise: 2_592_000,
    longest: longestLifetimeSeconds.refreshToken,
    isZeroUnlimited,
  }),
  lifetime('SlidingRefreshTokenLifetime', 'sliding_refresh_token_lifetime', {
    otherwise: 1_296_000,
    longest: longestLifetimeSeconds.refreshToken,
  }),
  copied(
    'RefreshTokenUsage',
    'refresh_token_usage',
    value => usages[oneOf(['ReUse', 'OneTimeOnly'])(value)],
    { otherwise: 'one_time' },
  ),
  copied('RefreshTokenExpiration', 'refresh_token_expiration', value => expirations[expiration(value)], {
    otherwise: 'absolute',
  }),
  copied('Claims', 'claims', claimsOf),
  copied('AlwaysSendClientClaims', 'always_send_client_claims', flag, { otherwise: false }),
]
