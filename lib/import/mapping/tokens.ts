/**
 * Reads refresh tokens and reference tokens. The stores of both products have the hash of each token, and its content
 * as JSON. This server uses that hash as the digest of the token.
 */
import { claimLimits } from '#lib/config/limits.ts'
import type { Random } from '#lib/ports/environment.ts'
import type { Grant, ImportedToken } from '#lib/ports/grants.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import {
  type ClientId,
  clientIdSchema,
  type Digest,
  type ScopeName,
  type SubjectId,
  scopeNameSchema,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import { epochSeconds, secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { offlineScope, scopeClaim } from '#lib/protocol/wire/scopes.ts'
import { type Fields, fieldsOf, type SourceObject } from '../source/tables.ts'
import { claimValue, fieldIn, groupedBy, list, or, text, time, WrongValue, wholeNumber } from './field-map.ts'

/**
 * The result of reading a row. `other`: an authorization code, a consent or the like. `ended`: expired, or used.
 * `refused`: `problem` is the end of a sentence about the row.
 */
export type ReadToken =
  | { readonly kind: 'token'; readonly token: ImportedToken }
  | { readonly kind: 'other' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly problem: string }

export type TokenParts = {
  readonly random: Pick<Random, 'grantId'>
  readonly now: Date
  /**
   * Returns the maximum total lifetime for a client whose refresh tokens slide. `null`: they expire when their rows do.
   */
  readonly absoluteSeconds: (clientId: ClientId) => number | null
}

/** The values of a token's row, whichever product it comes from. */
type TokenRow = {
  readonly kind: ImportedToken['kind']
  readonly digest: Digest
  readonly clientId: unknown
  readonly subject: unknown
  readonly expiresAt: Date
  readonly content: Fields
}

/** The format of a product's token rows: the names of columns and kinds, and the format of token hashes. */
type TokenStore = {
  readonly type: string
  /** The kind of token for each type in lower case; other types are not tokens. */
  readonly kinds: Readonly<Record<string, ImportedToken['kind']>>
  readonly key: RegExp
  readonly expiresAt: string
  readonly content: string
}

type ReadTokenRow = (row: SourceObject, parts: TokenParts) => ReadToken

/** Reads a row of `Tokens` of IdentityServer3. */
export const readIdentityServer3Token: ReadTokenRow = rowReader({
  type: 'TokenType',
  kinds: { 2: 'reference', tokenhandle: 'reference', 3: 'refresh', refreshtoken: 'refresh' },
  key: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
  expiresAt: 'Expiry',
  content: 'JsonCode',
})

/** Reads a row of `PersistedGrants`. IdentityServer4 hashes a token together with its type. */
export const readIdentityServer4Token: ReadTokenRow = rowReader({
  type: 'Type',
  kinds: { reference_token: 'reference', refresh_token: 'refresh' },
  key: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  expiresAt: 'Expiration',
  content: 'Data',
})

function rowReader({ type, kinds, key, expiresAt, content }: TokenStore): ReadTokenRow {
  const knownKinds = new Map(Object.entries(kinds))
  return ({ fields }, parts) =>
    withoutWrongValues(() => {
      const kind = knownKinds.get(String(fieldIn(fields, type)).toLowerCase())
      if (kind === undefined) return { kind: 'other' }
      // Only IdentityServer4 marks tokens as used
      if (fieldIn(fields, 'ConsumedTime') !== null) return { kind: 'ended' }
      const row: TokenRow = {
        kind,
        digest: digestIn(fieldIn(fields, 'Key'), key),
        clientId: fieldIn(fields, 'ClientId'),
        subject: fieldIn(fields, 'SubjectId'),
        expiresAt: time(fieldIn(fields, expiresAt)),
        content: contentOf(fieldIn(fields, content)),
      }
      return tokenOf(row, parts)
    })
}

function withoutWrongValues(read: () => ReadToken): ReadToken {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    return { kind: 'refused', problem: error.message }
  }
}

function digestIn(key: unknown, form: RegExp): Digest {
  if (typeof key !== 'string' || !form.test(key))
    throw new WrongValue('has a key that is not the hash of a token')
  return Buffer.from(key, 'base64').toString('base64url') as Digest
}

function contentOf(json: unknown): Fields {
  const content = parseJson(text(json))
  if (isRecord(content)) return fieldsOf(content)
  throw new WrongValue('has a content that is not JSON, or is encrypted')
}

type TokenFacts = {
  readonly row: TokenRow
  readonly claims: Claims
  readonly clientId: ClientId
  readonly subject: SubjectId | null
  readonly scopes: readonly ScopeName[]
  readonly createdAt: Date
}

function tokenOf(row: TokenRow, parts: TokenParts): ReadToken {
  if (row.expiresAt <= parts.now) return { kind: 'ended' }
  const { content } = row
  const access = row.kind === 'refresh' ? fieldsOf(fieldIn(content, 'AccessToken')) : content
  const claims = claimsOf(fieldIn(access, 'Claims'))
  if (claims.cnf !== undefined || fieldIn(access, 'Confirmation') !== null)
    throw new WrongValue('is bound to a key, which is not supported')
  // PostgreSQL refuses NUL in texts
  if (/\p{Cc}/u.test([claims.idp, claims.amr].flat().join('')))
    throw new WrongValue('has control characters in the names of the sign-in')
  const client = clientIdSchema.safeParse(row.clientId)
  if (!client.success) throw new WrongValue('names no client')
  const facts: TokenFacts = {
    row,
    claims: { ...describedIn(access), ...claims, client_id: client.data },
    clientId: client.data,
    subject: subjectIn(row.subject ?? claims.sub ?? null),
    scopes: scopesIn(claims),
    createdAt: time(fieldIn(content, 'CreationTime')),
  }
  return {
    kind: 'token',
    token: row.kind === 'refresh' ? refreshToken(facts, parts) : reference(facts, parts),
  }
}

function subjectIn(value: unknown): SubjectId | null {
  if (value === null || value === '') return null
  const subject = subjectIdSchema.safeParse(value)
  if (subject.success) return subject.data
  throw new WrongValue('names a user whose subject is not allowed here')
}

function scopesIn({ scope = [] }: Claims): readonly ScopeName[] {
  return [scope].flat().map(name => {
    const read = scopeNameSchema.safeParse(name)
    if (!read.success) throw new WrongValue('has a scope whose name is not allowed here')
    if (read.data === adminScope)
      throw new WrongValue(`has the scope ${adminScope}, which opens the admin API here`)
    return read.data
  })
}

/** Returns the properties of a token that are not among its claims, under the names of a JWT. */
function describedIn(access: Fields): Claims {
  const createdAt = time(fieldIn(access, 'CreationTime'))
  const lifetime = wholeNumber(fieldIn(access, 'Lifetime'))
  const audience = or(list, [])(fieldIn(access, 'Audiences')).map(text)
  const [first = fieldIn(access, 'Audience'), ...others] = audience
  const issuer = fieldIn(access, 'Issuer')
  return {
    ...(issuer === null ? {} : { iss: text(issuer) }),
    ...(first === null ? {} : { aud: others.length === 0 ? text(first) : audience }),
    nbf: epochSeconds(createdAt),
    exp: epochSeconds(secondsAfter(createdAt, lifetime)),
  }
}

/**
 * Converts claims. Values are texts, except the times of a JWT and values whose type is a number, a Boolean or JSON.
 */
function claimsOf(value: unknown): Claims {
  const claims = [...groupedBy(value, 'Type')].map(([name, rows]) => {
    const values = rows.map(row => typedValue(name, text(fieldIn(row, 'Value')), fieldIn(row, 'ValueType')))
    return [name, claimValue(values)] as const
  })
  return Object.fromEntries(claims)
}

const numbers: ReadonlySet<string> = new Set(['auth_time', 'iat', 'nbf', 'exp'])

function typedValue(name: string, value: string, type: unknown): JsonValue {
  if (numbers.has(name) || /#(?:integer32|integer64|integer)$/.test(String(type))) {
    return /^-?\d{1,15}$/.test(value) ? Number(value) : value
  }
  if (/#boolean$/.test(String(type))) return value.toLowerCase() === 'true'
  if (type !== 'json' || value.length > claimLimits.userBytes) return value
  const parsed = parseJson(value)
  return parsed === undefined ? value : parsed
}

/**
 * Converts a refresh token. The next access tokens get the claims of its stored access token, unless
 * `update_access_token_claims_on_refresh` of the client is on.
 */
function refreshToken(facts: TokenFacts, parts: TokenParts): ImportedToken {
  const { row, clientId, claims, subject, createdAt } = facts
  if (subject === null) throw new WrongValue('is a refresh token without a user')
  const scopes = facts.scopes.includes(offlineScope) ? facts.scopes : [...facts.scopes, offlineScope]
  const grant = grantOf({ ...facts, scopes }, subject, { isOffline: true, ...parts })
  const { digest, expiresAt } = row
  const sliding = parts.absoluteSeconds(clientId)
  const end = sliding === null ? expiresAt : secondsAfter(createdAt, sliding)
  return {
    kind: 'refresh',
    grant,
    token: {
      digest,
      grantId: grant.id,
      clientId,
      absoluteExpiresAt: end > expiresAt ? end : expiresAt,
      expiresAt,
      createdAt,
      accessTokenClaims: claims,
      spentAt: null,
      successor: null,
      sealedAnswer: null,
      answerExpiresAt: null,
    },
  }
}

/** Converts a reference token. Its `scope` gets the format of new tokens, which can differ from the stored one. */
function reference(facts: TokenFacts, parts: TokenParts): ImportedToken {
  const { row, clientId, subject, scopes } = facts
  const grant = subject === null ? null : grantOf(facts, subject, { isOffline: false, ...parts })
  const { digest, expiresAt } = row
  const claims = { ...facts.claims, ...(scopes.length === 0 ? {} : { scope: scopeClaim(scopes) }) }
  const grantId = grant?.id ?? null
  return { kind: 'reference', grant, token: { digest, grantId, subject, clientId, claims, expiresAt } }
}

type GrantParts = TokenParts & { readonly isOffline: boolean }

function grantOf(
  { row, claims: { idp, amr, auth_time: signedInAt }, clientId, scopes, createdAt }: TokenFacts,
  subject: SubjectId,
  { random, isOffline }: GrantParts,
): Grant {
  return {
    id: random.grantId(),
    clientId,
    subject,
    idp: typeof idp !== 'string' || ownProviders.has(idp) ? localProvider : idp,
    amr: [amr ?? []].flat().map(method => (method === 'password' ? 'pwd' : String(method))),
    acr: null,
    authenticatedAt: new Date(signInTime(signedInAt, createdAt.getTime())),
    sessionId: null,
    scopes,
    isOffline,
    createdAt,
    expiresAt: row.expiresAt,
    revokedAt: null,
  }
}

/** Returns the time of the sign-in, which is not later than the token. */
function signInTime(seconds: JsonValue | undefined, createdAt: number): number {
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1000, createdAt) : createdAt
}

/** The names that the products use for their own accounts. */
const ownProviders: ReadonlySet<string> = new Set(['idsrv', 'local'])
