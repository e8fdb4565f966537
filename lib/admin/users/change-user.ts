/** The one way a stored person changes: may the admin touch them, write, audit row. */
import type { StoredUser } from '#lib/ports/users.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { mayTouchAccount } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, type FieldError, notFound } from '../admin-result.ts'
import { userDocument } from '../configuration/export-configuration.ts'
import { commit, type Deed } from '../use-case.ts'
import { type StoredPerson, type UserView, userView } from './user-view.ts'

export type UserChange = {
  readonly subject: SubjectId
  /** The version the admin saw; `null` for changes that contradict nothing. */
  readonly version: number | null
  readonly alter: (stored: StoredPerson) => Promise<StoredUser> | StoredUser
  /** What is wrong with it, beside what stands. */
  readonly errors?: (stored: StoredPerson) => readonly FieldError[]
  /** What the audit row says of it besides the documents, such as `{ password: 'reset' }`. */
  readonly note?: Readonly<Record<string, JsonValue>>
}

/** Answers with the person as they are afterwards. Another password, or locking, ends their sessions and grants. */
export async function changeUser(
  ports: AdminPorts,
  { subject, version, alter, errors, note = {} }: UserChange,
  deed: Deed,
): Promise<AdminResult<UserView>> {
  const stored = await ports.adminLists.user(subject)
  if (stored === null) return notFound
  const refusal = await refusalToTouch(ports, subject, deed)
  if (refusal !== null) return refusal
  const found = errors?.(stored) ?? []
  if (found.length > 0) return { kind: 'invalid', errors: found }
  const user = storedUser(await alter(stored))
  const after: JsonValue = { ...asRecord(userDocument(user)), ...note }
  const change = {
    writes: [{ kind: 'configuration', changes: { put: { users: [user] }, remove: {} } }],
    expected: [{ kind: 'user', id: subject, version: version ?? stored.version }],
    audit: [deed.entry({ kind: 'user', id: subject, before: userDocument(stored), after })],
  } as const
  const result = await commit(ports, change, {
    now: deed.now,
    value: null,
    current: () => currentOf(ports, subject),
  })
  if (result.kind !== 'ok') return result
  const changed = await ports.adminLists.user(subject)
  return changed === null ? notFound : { kind: 'ok', value: userView(changed) }
}

/** AD-03: only owners touch the account of somebody who administers, or they could take it over. */
export async function refusalToTouch(
  ports: Pick<AdminPorts, 'administrators'>,
  subject: SubjectId,
  { actor }: Pick<Deed, 'actor'>,
): Promise<AdminResult<never> | null> {
  const administrator = await ports.administrators.find(subject)
  if (mayTouchAccount(actor.role, administrator?.role ?? null)) return null
  return denied('This person administers the service: only owners may change their account.')
}

/** Nothing of the row but the person. */
function storedUser({
  subject,
  username,
  passwordHash,
  mustChangePassword,
  enabled,
  claims,
}: StoredUser): StoredUser {
  return { subject, username, passwordHash, mustChangePassword, enabled, claims }
}

async function currentOf(ports: AdminPorts, subject: SubjectId): Promise<JsonValue | null> {
  const stored = await ports.adminLists.user(subject)
  return stored && { ...asRecord(userDocument(stored)), version: stored.version }
}

function asRecord(document: JsonValue): Readonly<Record<string, JsonValue>> {
  return typeof document === 'object' && document !== null ? Object.fromEntries(Object.entries(document)) : {}
}
