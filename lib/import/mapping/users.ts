/** The rules for the fields of users of ASP.NET Identity, and rules that both user stores share. */
import { type JsonValue, reservedClaims } from '#lib/protocol/claims.ts'
import { readImportedPasswordHash } from '#lib/protocol/registration/exported-hashes.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import { type Fields, fieldsOf } from '../source/tables.ts'
import {
  base64,
  claimValue,
  type Document,
  type FieldRule,
  fieldIn,
  flag,
  flagIn,
  gone,
  groupedBy,
  internal,
  list,
  type Note,
  note,
  or,
  type Reading,
  readElsewhere,
  text,
  time,
} from './field-map.ts'

/** A linked account. `externalSubject`: the ID of the user at the identity provider. */
export type ImportedLogin = { readonly provider: string; readonly externalSubject: string }

const upperCaseGuid = /^(?=.*[A-F])[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/

/** Reads an ID. A GUID gets lower case, as .NET writes it; SQL Server exports it in upper case. */
export function guidSubject(value: unknown): string {
  const id = text(value)
  return upperCaseGuid.test(id) ? id.toLowerCase() : id
}

/** Reads the ID of a user. A text column keeps its letter case: the `sub` of the old server's tokens has it. */
function readAspNetId(value: unknown, all: Fields): Reading {
  const type = fieldIn(all, 'IdType')
  if (type === 'uniqueidentifier') return { fields: { sub: guidSubject(value) } }
  const id = typeof value === 'number' ? String(value) : text(value)
  const isUnclear = type === null && upperCaseGuid.test(id)
  return { fields: { sub: id }, notes: isUnclear ? [note('changed', 'Id', unclearCase)] : [] }
}

const unclearCase =
  'is a GUID in upper case, and so is the "sub" of the user. For a column of the type uniqueidentifier, export IdType as in the documentation'

/** The rule for a password hash. Without a usable hash, the user has no password. */
export function passwordOf(field: string): FieldRule {
  return {
    field,
    becomes: ['password'],
    why: 'works at the first sign-in, and is then replaced by an Argon2id hash',
    read: value => {
      if (value === null || value === '') return {}
      const read = readImportedPasswordHash(base64(value))
      if ('passwordHash' in read) return { fields: { password_hash: read.passwordHash } }
      return { notes: [note('changed', field, `${read.problem}: the user has no password here`)] }
    },
  }
}

/** Converts a claim that databases store as text to its JSON type. */
function converted(name: string, value: string): JsonValue {
  if (/^(?:email|phone_number)_verified$/.test(name) && /^(?:true|false)$/i.test(value))
    return value.toLowerCase() === 'true'
  if (name === 'updated_at' && /^\d{1,12}$/.test(value)) return Number(value)
  return name === 'address' && value.startsWith('{') ? (parseJson(value) ?? value) : value
}

/**
 * Reads the claims of a user's rows; several rows of one type become a list. Claims that are invalid, or that only the
 * server may set, are left out.
 */
export function readClaims(value: unknown): Reading {
  const notes: Note[] = []
  const claims: [string, JsonValue][] = []
  for (const [type, rows] of groupedBy(value, 'ClaimType', 'Type')) {
    const all = rows.map(row => converted(type, or(text, '')(fieldIn(row, 'ClaimValue', 'Value'))))
    const claim = all.length === 1 ? claimValue(all) : [...new Set(all)]
    const problem = reservedClaims.has(type) ? 'is set by the server' : standardClaimProblem(type, claim)
    if (problem === null) claims.push([type, claim])
    else notes.push(note('changed', `Claims ${type}`, `is left out: it ${problem}`))
  }
  return { fields: { claims: Object.fromEntries(claims) }, notes }
}

/** The rule for a field that becomes the claim `ours`; a value that a standard claim may not have is left out. */
export function claim(field: string, ours: string, read: (value: unknown) => JsonValue): FieldRule {
  return {
    field,
    becomes: [`claims.${ours}`],
    read: value => {
      if (value === null || value === '') return {}
      const own = read(value)
      const problem = standardClaimProblem(ours, own)
      return problem === null
        ? { fields: { [ours]: own } }
        : { notes: [note('changed', field, `is left out: it ${problem}`)] }
    },
  }
}

export const noSecondFactor = 'signs in with the password only, until the user sets up a second factor here'

/**
 * Reads the end of a lockout. ASP.NET Identity locks an account for minutes after failed sign-ins, which the rate
 * limits do here. A lockout of more than a day counts as one by an admin, so it locks the account.
 */
function readLockout(value: unknown, all: Fields): Reading {
  if (value === null || value === '' || !flagIn(all, 'LockoutEnabled', true)) return {}
  const rest = time(value).getTime() - Date.now()
  if (rest <= 0) return {}
  return rest > 86_400_000
    ? { fields: { enabled: false }, notes: [note('changed', 'LockoutEnd', longLockout)] }
    : { notes: [note('changed', 'LockoutEnd', shortLockout)] }
}

const longLockout =
  'lasts longer than a day, so the account is locked here until an admin unlocks it, also after that time'
const shortLockout = 'ends within a day and is not taken over: the user can sign in now'

/** The rule for linked accounts, which `readLogins` reads. */
export const loginsRule = readElsewhere(
  'Logins',
  ['linked accounts'],
  'if there is an identity provider of that name',
)

export const aspNetUserRules: readonly FieldRule[] = [
  {
    field: 'Id',
    becomes: ['sub'],
    why: 'in lower case if the column is a uniqueidentifier, as .NET writes it',
    read: readAspNetId,
  },
  readElsewhere('IdType', ['sub'], 'the type of the column `Id`, which the SQL for the export adds'),
  {
    field: 'UserName',
    becomes: ['username', 'claims.preferred_username'],
    read: value => ({ fields: { username: text(value), preferred_username: text(value) } }),
  },
  passwordOf('PasswordHash'),
  claim('Email', 'email', text),
  claim('EmailConfirmed', 'email_verified', flag),
  claim('PhoneNumber', 'phone_number', text),
  claim('PhoneNumberConfirmed', 'phone_number_verified', flag),
  {
    field: 'LockoutEnd',
    aliases: ['LockoutEndDateUtc'],
    becomes: ['enabled'],
    why: 'a lockout of more than a day locks the account until an admin unlocks it; shorter ones end',
    read: readLockout,
  },
  internal('LockoutEnabled'),
  internal('AccessFailedCount'),
  gone('TwoFactorEnabled', [false, 0], { why: noSecondFactor }),
  { field: 'Claims', becomes: ['claims'], read: readClaims },
  loginsRule,
  readElsewhere('Roles', ['claims.role']),
  ...['NormalizedUserName', 'NormalizedEmail', 'SecurityStamp', 'ConcurrencyStamp', 'Discriminator'].map(
    internal,
  ),
]

export type ReadLogins = { readonly logins: readonly ImportedLogin[]; readonly notes: readonly Note[] }

/** Reads the linked accounts of both user stores. An account that cannot be read is left out. */
export function readLogins(all: Fields): ReadLogins {
  const logins: ImportedLogin[] = []
  const notes: Note[] = []
  for (const [index, entry] of or(list, [])(fieldIn(all, 'Logins')).entries()) {
    const fields = fieldsOf(entry)
    const provider = fieldIn(fields, 'LoginProvider', 'ProviderName')
    const externalSubject = fieldIn(fields, 'ProviderKey', 'ProviderAccountID')
    if (isName(provider) && isName(externalSubject)) logins.push({ provider, externalSubject })
    else notes.push(note('changed', `Logins[${index}]`, incompleteLogin))
  }
  return { logins, notes }
}

const incompleteLogin = 'is left out: it does not name a provider and a user there'

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName && !/\p{Cc}/u.test(value)
}

const longestName = 1000

const ownFields = ['sub', 'username', 'password_hash', 'must_change_password', 'enabled', 'claims'] as const
/** Claims, each with the claim that confirms it, which is meaningless without the first. */
const confirmations = [
  ['email', 'email_verified'],
  ['phone_number', 'phone_number_verified'],
] as const

/** Returns the claims of a user. Fields of the account, and its roles, take precedence over its rows of claims. */
export function claimsOfUser(document: Document, roles: readonly string[]): Document {
  const own = new Map(Object.entries(document))
  for (const name of ownFields) own.delete(name)
  for (const [claim, confirmed] of confirmations) if (!own.has(claim)) own.delete(confirmed)
  const { claims = {} } = document
  const role: Document = roles.length === 0 ? {} : { role: roles.length === 1 ? (roles[0] ?? '') : roles }
  return { ...(isRecord(claims) ? (claims as Document) : {}), ...role, ...Object.fromEntries(own) }
}

export type ReadRoles = { readonly roles: readonly string[]; readonly notes: readonly Note[] }

/** Returns the names of the user's roles. An ID without a row in `AspNetRoles` is left out. */
export function readRoles(all: Fields, names: ReadonlyMap<string, string>): ReadRoles {
  const roles: string[] = []
  const notes: Note[] = []
  for (const id of list(fieldIn(all, 'Roles') ?? []).map(String)) {
    const name = names.get(id.toLowerCase())
    if (name !== undefined) roles.push(name)
    else {
      const problem = `${JSON.stringify(id)} is left out: no row of AspNetRoles has this Id`
      notes.push(note('changed', 'Roles', problem))
    }
  }
  return { roles, notes }
}
