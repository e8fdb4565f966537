/** Creates, changes, locks, unlocks and deletes users, and resets their passwords. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Random } from '#lib/ports/environment.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { isMailAddress } from '#lib/protocol/text/mail-address.ts'
import { verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { denied, errorFor, type FieldError, invalid, ok } from '../admin-result.ts'
import {
  auditedWrite,
  type ChangePart,
  createRow,
  toChange,
  updateRow,
  versionSchema,
} from '../resource/resource.ts'
import { deleteUseCase, enabledSchema, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import { commit, defineUseCase, type UseCase } from '../use-case.ts'
import { cancelPlannedChange, listPlannedChanges } from './planned-changes.ts'
import { exportUsers, listUsers, readUser } from './read-users.ts'
import { allowSignIn, readUserLimits } from './user-limits.ts'
import { listUserMails } from './user-mails.ts'
import {
  claimsSchema,
  forgetFailedSignIns,
  profileErrors,
  readableUserSchema,
  refusalToTouch,
  type StoredUser,
  userFromForm,
  userInputSchema,
  usernameSchema,
  users,
  userViewSchema,
} from './user-resource.ts'

export const createUser = defineUseCase({
  name: 'users.create',
  permission: 'users:create',
  summary:
    'Creates a user with a temporary password, which is only in this answer. They must change it at their first sign-in.',
  done: 'User created.',
  isSensitive: true,
  isShownOnce: true,
  input: userInputSchema,
  output: z.object({ sub: z.string(), username: z.string(), password: z.string() }),
  fromForm: userFromForm,
  validate: creationErrors,
  api: { method: 'POST', path: '/users', status: 201 },
  run: async (ports, { username, claims }, call) => {
    const errors = await creationErrors(ports, { username, claims })
    if (errors.length > 0) return { kind: 'invalid', errors }
    const subject = subjectIdSchema.parse(ports.random.id())
    const password = newPassword(ports.random)
    const passwordHash = await ports.passwords.hash(password)
    const user = { subject, username, passwordHash, mustChangePassword: true, enabled: true, claims }
    const result = await createRow(users, ports, user, call)
    if (result.kind === 'conflict') return invalid('username', nameTaken)
    return result.kind === 'ok' ? ok({ sub: subject, username, password }) : result
  },
})

const nameTaken = 'This user name is taken.'

async function creationErrors(ports: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = readableUserSchema.safeParse(raw)
  if (!read.success) return []
  const { username, claims, profile } = read.data
  const isTaken = username !== undefined && (await ports.users.findByUsername(username)) !== null
  return [...errorFor('username', isTaken ? nameTaken : null), ...profileErrors(claims ?? profile, {})]
}

export const updateUser = defineUseCase({
  name: 'users.update',
  permission: 'users:update',
  summary: 'Replaces the user name and claims of a user.',
  done: 'User saved. Apps see the change with their next token.',
  input: z.object({
    sub: subjectIdSchema,
    version: versionSchema,
    username: usernameSchema,
    claims: claimsSchema,
  }),
  output: userViewSchema,
  fromForm: fields => ({
    sub: fields.sub?.at(-1),
    version: fields.version?.at(-1),
    ...userFromForm(fields),
  }),
  validate: changeErrors,
  api: { method: 'PUT', path: '/users/{sub}' },
  run: async (ports, { sub, version, username, claims }, call) => {
    const alter = (stored: StoredUser) => ok({ ...stored, username, claims })
    const stored = await ports.adminLists.user(sub)
    const notices = stored === null ? [] : await addressNotices(ports, stored, claims)
    return updateRow(users, ports, { id: sub, version, alter, notices }, call)
  },
})

/** Makes the mails to the old and the new address, if they are verified (AU-16). A concurrent change is a conflict of versions. */
async function addressNotices(
  ports: Pick<AdminPorts, 'addressNotice'>,
  { subject, claims: before }: StoredUser,
  claims: Claims,
): Promise<readonly NewDelivery[]> {
  const address = verifiedEmailOf(claims)
  if (address === verifiedEmailOf(before)) return []
  const { email, locale } = claims
  const isReachable = address !== null && typeof email === 'string' && isMailAddress(email)
  return ports.addressNotice({
    ...{ subject, address: isReachable ? email : null, by: 'administrator' },
    locale: typeof locale === 'string' ? locale : 'en',
  })
}

async function changeErrors({ adminLists }: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = readableUserSchema.extend({ sub: subjectIdSchema }).safeParse(raw)
  if (!read.success) return []
  const { sub, claims, profile } = read.data
  const stored = await adminLists.user(sub)
  return profileErrors(claims ?? profile, stored?.claims ?? {})
}

export const setSeveralEnabled = defineUseCase({
  name: 'users.set_several_enabled',
  permission: 'users:update',
  summary:
    'Locks several accounts, which also ends their sessions and tokens, or unlocks them; all of them or none.',
  done: 'The selected users are saved.',
  input: z.object({
    sub: z.array(subjectIdSchema).min(1, 'Select at least one user.').max(adminList.largestPage),
    enabled: enabledSchema,
  }),
  output: z.object({ changed: z.array(z.string()) }),
  fromForm: ({ sub = [], enabled }) => ({ sub, enabled: enabled?.at(-1) }),
  api: { method: 'POST', path: '/users/enabled' },
  run: async (ports, { sub: subjects, enabled }, call) => {
    if (!enabled && subjects.includes(call.actor.subject))
      return denied('Your own account is one of them. Nothing was changed.')
    const parts: ChangePart[] = []
    for (const subject of new Set(subjects)) {
      const stored = await ports.adminLists.user(subject)
      if (stored === null || stored.enabled === enabled) continue
      const refusal = await refusalToTouch(ports, subject, call)
      if (refusal !== null)
        return denied(
          `${stored.username} is an administrator: only owners may change the account. Nothing was changed.`,
        )
      const row = users.withEnabled(stored, enabled)
      parts.push(auditedWrite(users, { row, before: stored, version: stored.version }, call))
    }
    const value = { changed: parts.map(({ audit }) => audit.targetId) }
    return parts.length === 0 ? ok(value) : commit(ports, toChange(parts), { now: call.now, value })
  },
})

export const setUserEnabled = setEnabledUseCase(users, {
  summary: 'Locks an account, which also ends its sessions and tokens, or unlocks it.',
  done: 'User saved.',
})

export const resetPassword = defineUseCase({
  name: 'users.reset_password',
  permission: 'users:reset',
  isSensitive: true,
  isShownOnce: true,
  summary:
    'Gives a user a temporary password, which is only in this answer, and signs them out everywhere. They must change it at their next sign-in.',
  done: 'Password reset.',
  input: z.object({ sub: subjectIdSchema }),
  output: z.object({ sub: z.string(), username: z.string(), password: z.string() }),
  api: { method: 'POST', path: '/users/{sub}/password' },
  run: async (ports, { sub }, call) => {
    // A reset would end the admin session that has to show the new password
    if (sub === call.actor.subject) return denied('Change your own password under Your account.')
    const password = newPassword(ports.random)
    const passwordHash = await ports.passwords.hash(password)
    const alter = (stored: StoredUser) => ok({ ...stored, passwordHash, mustChangePassword: true })
    const notices = await ports.securityNotice(sub, 'password_reset')
    const result = await updateRow(users, ports, { id: sub, version: null, alter, notices }, call)
    if (result.kind !== 'ok') return result
    await forgetFailedSignIns(ports, result.value.username)
    return ok({ sub, username: result.value.username, password })
  },
})

export const deleteUser = deleteUseCase(users, {
  summary:
    'Deletes a user with their sessions, consents and tokens, and removes them from the events. Their subject is never used again.',
  done: 'User deleted.',
  isSensitive: true,
  output: z.object({ sub: z.string() }),
  plan: async (_ports, { stored }) => ok({ parts: [], value: { sub: stored.subject } }),
})

const alphabet = '23456789abcdefghjkmnpqrstvwxyz'
const groups = 5
const groupLength = 4

function newPassword(random: Pick<Random, 'id'>): string {
  const letters = [...random.id(), ...random.id()].map(
    letter => alphabet[letter.charCodeAt(0) % alphabet.length],
  )
  const group = (index: number) => letters.slice(index * groupLength, (index + 1) * groupLength).join('')
  return Array.from({ length: groups }, (_one, index) => group(index)).join('-')
}

export const userUseCases: readonly UseCase[] = [
  listUsers,
  exportUsers,
  readUser,
  createUser,
  updateUser,
  setUserEnabled,
  setSeveralEnabled,
  resetPassword,
  readUserLimits,
  allowSignIn,
  listUserMails,
  listPlannedChanges,
  cancelPlannedChange,
  deleteUser,
]
