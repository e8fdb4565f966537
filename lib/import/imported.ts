/** The content of an export in one format, whichever product it comes from. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import {
  type Document,
  type FieldRule,
  mapFields,
  type Note,
  note,
  unreadNames,
} from './mapping/field-map.ts'
import { type ImportedSecret, readSecrets } from './mapping/secrets.ts'
import type { ReadToken, TokenParts } from './mapping/tokens.ts'
import { claimsOfUser, type ImportedLogin, readLogins, readRoles } from './mapping/users.ts'
import type { SourceObject } from './source/tables.ts'

/** A client or scope as a registration document. */
export type ImportedRegistration = {
  readonly place: string
  readonly document: Document
  readonly secrets: readonly ImportedSecret[]
  readonly notes: readonly Note[]
}

/** A user. `document` has the format of the configuration file. */
export type ImportedUser = {
  readonly place: string
  readonly document: Readonly<Record<'sub' | 'username' | 'enabled' | 'claims', JsonValue>>
  readonly passwordHash: string | null
  readonly mustChangePassword: boolean
  readonly logins: readonly ImportedLogin[]
  readonly notes: readonly Note[]
}

/** A remembered consent of a user for a client. `expiresAt: null`: it does not expire. */
export type ImportedConsent = {
  readonly place: string
  readonly subject: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

/** A row of a token store. `owner`: the user and the client of the token, for the report. */
export type ReadRow = { readonly place: string; readonly owner: string; readonly read: ReadToken }

/** The complete content of an export. Each part can be iterated only once. */
export type Imported = {
  readonly scopes: Iterable<ImportedRegistration>
  readonly clients: Iterable<ImportedRegistration>
  readonly users: Iterable<ImportedUser>
  readonly consents: Iterable<ImportedConsent>
  readonly tokens: (parts: TokenParts) => Iterable<ReadRow>
}

/** Converts a client or scope by its table of rules. */
export function readRegistration(
  { place, fields }: SourceObject,
  { rules, secrets: member }: { readonly rules: readonly FieldRule[]; readonly secrets: string },
): ImportedRegistration {
  const { document, notes } = mapFields(rules, fields)
  const { secrets, notes: more } = readSecrets(fields, member)
  const unread = unreadNames(rules, fields).map(unknownField)
  return {
    place,
    document,
    secrets,
    notes: [...notes, ...more, ...unread, ...missingSecret(document, secrets)],
  }
}

function unknownField(field: string): Note {
  return note('changed', field, 'is not known, and not read')
}

/** Refuses a client that must authenticate with a secret and has none. */
function missingSecret(
  { grant_types: grants, token_endpoint_auth_method: method }: Document,
  secrets: readonly ImportedSecret[],
): readonly Note[] {
  if (!Array.isArray(grants) || method === 'none' || secrets.length > 0) return []
  if (grants.every(grant => grant === 'implicit')) return []
  return [note('refused', '', 'has no secret that can be taken over, and cannot authenticate without one')]
}

/** Converts a user by the table of rules. */
export function readUser(
  { place, fields }: SourceObject,
  {
    rules,
    roleNames,
  }: { readonly rules: readonly FieldRule[]; readonly roleNames: ReadonlyMap<string, string> },
): ImportedUser {
  const { document, notes } = mapFields(rules, fields)
  const {
    sub = null,
    username = null,
    enabled = true,
    password_hash: hash,
    must_change_password: isTemporary,
  } = document
  const { logins, notes: ofLogins } = readLogins(fields)
  const { roles, notes: ofRoles } = readRoles(fields, roleNames)
  return {
    place,
    document: { sub, username, enabled, claims: claimsOfUser(document, roles) },
    passwordHash: typeof hash === 'string' ? hash : null,
    mustChangePassword: isTemporary === true,
    logins,
    notes: [...notes, ...ofLogins, ...ofRoles, ...unreadNames(rules, fields).map(unknownField)],
  }
}
