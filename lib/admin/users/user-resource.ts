/**
 * The user as a resource of the dashboard: how it is found, checked, stored and shown, the fields of its form (AD-02), and the
 * block after failed sign-ins.
 */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { StoredUser as UserRow } from '#lib/ports/users.ts'
import { type Claims, type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { isImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import { mayTouchAccount } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, errorFor, type FieldError, lenient, ok } from '../admin-result.ts'
import { userDocument } from '../configuration/export-configuration.ts'
import type { Resource } from '../resource/resource.ts'
import { jsonOrText } from '../setting-form.ts'
import type { Actor, FormFields } from '../use-case.ts'
import { viewOf } from '../view.ts'

const linkedSchema = z.object({
  scheme: z.string(),
  issuer: z.string(),
  sub: z.string(),
  label: z
    .string()
    .nullable()
    .describe('The name that the provider gave the identity; null: it is not known.'),
  created_at: z.string(),
})

export const userViewSchema = z.object({
  sub: z.string(),
  username: z.string(),
  enabled: z.boolean(),
  has_password: z.boolean(),
  has_imported_password: z
    .boolean()
    .describe('The password hash is that of another server; the next sign-in with the password replaces it.'),
  must_change_password: z.boolean(),
  claims: z.record(z.string(), jsonValueSchema),
  linked: z.array(linkedSchema),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  last_sign_in_at: z.string().nullable(),
})

export type UserView = z.infer<typeof userViewSchema>
export type StoredUser = NonNullable<Awaited<ReturnType<AdminLists['user']>>>

/** The stored user in the format of the API. */
export function userView(stored: StoredUser): UserView {
  const { passwordHash } = stored
  return viewOf(userViewSchema, stored, {
    sub: stored.subject,
    has_password: passwordHash !== null,
    has_imported_password: passwordHash !== null && isImportedHash(passwordHash),
    must_change_password: passwordHash !== null && stored.mustChangePassword,
    linked: stored.linked.map(account => viewOf(linkedSchema, account, { sub: account.subject })),
  })
}

type UserTypes = {
  readonly field: 'sub'
  readonly id: SubjectId
  readonly row: UserRow
  readonly extra: Pick<StoredUser, 'linked' | 'lastSignInAt'>
  readonly view: UserView
}

/** The resource of users. A new password, disabling and deletion end the user's sessions and grants. */
export const users: Resource<UserTypes> = {
  kind: 'user',
  area: 'users',
  idField: 'sub',
  idSchema: subjectIdSchema,
  readId: given => subjectIdSchema.parse(given),
  idOf: ({ subject }) => subject,
  find: ({ adminLists }, subject) => adminLists.user(subject),
  view: (_ports, stored) => userView(stored),
  viewSchema: userViewSchema,
  audited: (row, before) => ({
    ...userDocument(row),
    ...(before !== null && before.passwordHash !== row.passwordHash ? { password: 'reset' } : {}),
  }),
  // LG-07: the audit log is permanent, so the row of a deletion has only the user name
  auditedAtDeletion: ({ username }) => ({ username }),
  current: stored => ({ ...userDocument(stored), version: stored.version }),
  refusal: (ports, { subject }, call) => refusalToTouch(ports, subject, call),
  check: async (_ports, { row, before }) => {
    const errors = profileErrors(row.claims, before?.claims ?? {})
    return errors.length > 0 ? { kind: 'invalid', errors } : ok(row)
  },
  put: (record, expectedVersion) => ({ kind: 'put', of: 'user', record, expectedVersion }),
  remove: (id, expectedVersion) => ({ kind: 'remove', of: 'user', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, enabled }),
}

/**
 * AD-03: refuses changes of an administrator's account unless the actor is an owner. Otherwise an admin with another
 * role could take over the account.
 */
export async function refusalToTouch(
  ports: Pick<AdminPorts, 'administrators'>,
  subject: SubjectId,
  { actor }: { readonly actor: Pick<Actor, 'role'> },
): Promise<AdminResult<never> | null> {
  const administrator = await ports.administrators.find(subject)
  if (mayTouchAccount(actor.role, administrator?.role ?? null)) return null
  return denied('This user is an administrator: only owners may change their account.')
}

export type SignInBlock = { readonly until: Date; readonly failures: number }

/** The block of this user's sign-ins; `null` if they are not blocked. */
export async function signInBlock(
  { rateLimiter, userService, clock }: Pick<AdminPorts, 'rateLimiter' | 'userService' | 'clock'>,
  username: string,
): Promise<SignInBlock | null> {
  const account = await userService.canonicalUsername(username)
  return (await rateLimiter.blocksOf([account], clock.now())).get(account) ?? null
}

/** Deletes the failed attempts of a user. */
export async function forgetFailedSignIns(
  { rateLimiter, userService }: Pick<AdminPorts, 'rateLimiter' | 'userService'>,
  username: string,
): Promise<void> {
  await rateLimiter.allow(await userService.canonicalUsername(username))
}

const { username, claims } = userRecordSchema.shape

export const usernameSchema = username
export const claimsSchema = claims

/** The labels of claims that have a separate field in the form, in its order. */
export const profileClaims: Readonly<Record<string, string>> = {
  name: 'Full name',
  given_name: 'Given name',
  family_name: 'Family name',
  nickname: 'Nickname',
  email: 'Email',
  email_verified: 'Email is verified',
  phone_number: 'Phone',
  phone_number_verified: 'Phone is verified',
  website: 'Website',
  picture: 'Picture',
  zoneinfo: 'Time zone',
  locale: 'Language',
}

const flagEnding = '_verified'

/** Whether the claim has a boolean value. */
export function isFlag(claim: string): boolean {
  return claim.endsWith(flagEnding)
}

/** The claim that a flag is about, such as `email` for `email_verified`. */
export function flaggedClaim(flag: string): string {
  return flag.slice(0, -flagEnding.length)
}

/**
 * Reads a posted form. Other claims that are not a JSON object stay a text, which the schema refuses at their field. `profile`
 * contains the claims of the separate fields, which are checked even then.
 */
export function userFromForm(fields: FormFields) {
  const given = Object.keys(profileClaims).map(name => [name, profileClaim(name, fields)] as const)
  const profile = Object.fromEntries(given.filter(([, value]) => value !== null))
  const others = otherClaims(fields.claims?.at(-1) ?? '')
  const claims = typeof others === 'string' ? others : { ...others, ...profile }
  return { username: fields.username?.at(-1), claims, profile }
}

/** The claim of a separate field; `null` if the field is empty, or if it is a flag about an empty claim. */
function profileClaim(name: string, fields: FormFields): JsonValue {
  const value = textIn(fields, name)
  if (value === '') return null
  if (!isFlag(name)) return value
  return textIn(fields, flaggedClaim(name)) === '' ? null : value === 'true'
}

function textIn(fields: FormFields, name: string): string {
  return fields[name]?.at(-1)?.trim() ?? ''
}

/** The claims without a separate field as JSON, for the last field of the form. */
export function otherClaimsText(all: Readonly<Record<string, JsonValue>>): string {
  const rest = Object.entries(all).filter(([name]) => !Object.hasOwn(profileClaims, name))
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2)
}

function otherClaims(text: string): object | string {
  const value = text.trim() === '' ? {} : jsonOrText(text)
  return isRecord(value) ? value : text
}

export const userInputSchema = z.object({ username: usernameSchema, claims: claimsSchema })

/**
 * One error for each changed standard claim that is invalid by OpenID Connect Core 5.1. Values that are not changed may stay
 * invalid.
 */
export function profileErrors(claims: Claims, before: Claims): readonly FieldError[] {
  const written = Object.entries(claims).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return written.flatMap(([name, value]) => {
    const problem = standardClaimProblem(name, value)
    return errorFor(`claims.${name}`, problem === null ? null : messageFor(name, problem))
  })
}

const readableClaims = z.record(z.string(), jsonValueSchema)

/** Reads the valid fields of an invalid input. `profile` comes from forms, for the case that `claims` is not a JSON object. */
export const readableUserSchema = z.object({
  username: lenient(usernameSchema),
  claims: lenient(readableClaims),
  profile: readableClaims.catch({}),
})

/** Names the claim in the message, unless it has a separate field in the form. */
function messageFor(name: string, problem: string): string {
  return Object.hasOwn(profileClaims, name) ? problem : `"${name}" ${problem}`
}
