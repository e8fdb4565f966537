/** Creating, changing, locking and deleting people. */
import { z } from 'zod'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { denied, type FieldError, invalid, notFound } from '../admin-result.ts'
import { userDocument } from '../configuration/export-configuration.ts'
import { errorAt } from '../field-errors.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { changeUser, refusalToTouch } from './change-user.ts'
import { newPassword } from './new-password.ts'
import { profileErrors, readablePersonSchema } from './profile-errors.ts'
import { claimsSchema, personFromForm, userInputSchema, usernameSchema } from './user-input.ts'
import { type StoredPerson, userViewSchema } from './user-view.ts'

export const createUser = defineUseCase({
  name: 'users.create',
  permission: 'users:create',
  summary:
    'Creates a person with a first password, which the answer tells once and their first sign-in asks them to replace.',
  done: 'Person created.',
  isSensitive: true,
  isShownOnce: true,
  input: userInputSchema,
  output: z.object({ sub: z.string(), username: z.string(), password: z.string() }),
  fromForm: personFromForm,
  alsoWrong: creationErrors,
  api: { method: 'POST', path: '/users', status: 201 },
  run: async (ports, { username, claims }, { now, entry }) => {
    const errors = await creationErrors(ports, { username, claims })
    if (errors.length > 0) return { kind: 'invalid', errors }
    const subject = subjectIdSchema.parse(ports.random.id())
    const password = newPassword(ports.random)
    const passwordHash = await ports.passwords.hash(password)
    const user = { subject, username, passwordHash, mustChangePassword: true, enabled: true, claims }
    const change = {
      writes: [{ kind: 'configuration', changes: { put: { users: [user] }, remove: {} } }],
      expected: [{ kind: 'user', id: subject, version: 0 }],
      audit: [entry({ kind: 'user', id: subject, before: null, after: userDocument(user) })],
    } as const
    const result = await commit(ports, change, { now, value: { sub: subject, username, password } })
    if (result.kind !== 'conflict') return result
    return invalid('username', nameTaken)
  },
})

const nameTaken = 'Somebody else has this user name.'

async function creationErrors({ users }: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = readablePersonSchema.safeParse(raw)
  if (!read.success) return []
  const { username, claims, profile } = read.data
  const isTaken = username !== undefined && (await users.findByUsername(username)) !== null
  return [...errorAt('username', isTaken ? nameTaken : null), ...profileErrors(claims ?? profile, {})]
}

export const updateUser = defineUseCase({
  name: 'users.update',
  permission: 'users:update',
  summary: 'Replaces user name and claims of a person.',
  done: 'Person saved. Apps learn it with their next token.',
  input: z.object({
    sub: subjectIdSchema,
    version: z.coerce.number().int(),
    username: usernameSchema,
    claims: claimsSchema,
  }),
  output: userViewSchema,
  fromForm: fields => ({
    sub: fields.sub?.at(-1),
    version: fields.version?.at(-1),
    ...personFromForm(fields),
  }),
  alsoWrong: changeErrors,
  api: { method: 'PUT', path: '/users/{sub}' },
  run: (ports, { sub, version, username, claims }, deed) => {
    const alter = (stored: StoredPerson) => ({ ...stored, username, claims })
    const errors = (stored: StoredPerson) => profileErrors(claims, stored.claims)
    return changeUser(ports, { subject: sub, version, alter, errors }, deed)
  },
})

async function changeErrors({ adminLists }: AdminPorts, raw: unknown): Promise<readonly FieldError[]> {
  const read = readablePersonSchema.extend({ sub: subjectIdSchema }).safeParse(raw)
  if (!read.success) return []
  const { sub, claims, profile } = read.data
  const stored = await adminLists.user(sub)
  return profileErrors(claims ?? profile, stored?.claims ?? {})
}

export const setUserEnabled = defineUseCase({
  name: 'users.set_enabled',
  permission: 'users:update',
  summary: 'Locks a person out, which also ends their sessions and tokens, or lets them in again.',
  done: 'Person saved.',
  input: z.object({ sub: subjectIdSchema, enabled: z.stringbool().or(z.boolean()) }),
  output: userViewSchema,
  api: { method: 'POST', path: '/users/{sub}/enabled' },
  run: (ports, { sub, enabled }, deed) =>
    changeUser(ports, { subject: sub, version: null, alter: stored => ({ ...stored, enabled }) }, deed),
})

export const resetPassword = defineUseCase({
  name: 'users.reset_password',
  permission: 'users:reset',
  isSensitive: true,
  isShownOnce: true,
  summary:
    'Gives a person a new random password, told once, which their next sign-in asks them to replace, and signs them out everywhere.',
  done: 'Password reset.',
  input: z.object({ sub: subjectIdSchema }),
  output: z.object({ sub: z.string(), username: z.string(), password: z.string() }),
  api: { method: 'POST', path: '/users/{sub}/password' },
  run: async (ports, { sub }, deed) => {
    // It would end the visit that shows the password
    if (sub === deed.actor.subject) return denied('Your own password is changed in your account.')
    const password = newPassword(ports.random)
    const passwordHash = await ports.passwords.hash(password)
    const result = await changeUser(
      ports,
      {
        subject: sub,
        version: null,
        alter: stored => ({ ...stored, passwordHash, mustChangePassword: true }),
        note: { password: 'reset' },
      },
      deed,
    )
    if (result.kind !== 'ok') return result
    return { kind: 'ok', value: { sub, username: result.value.username, password } }
  },
})

export const deleteUser = defineUseCase({
  name: 'users.delete',
  permission: 'users:delete',
  isSensitive: true,
  summary:
    'Deletes a person, their sessions, consents and tokens, and takes them out of the events. Their subject is never given to anybody else.',
  done: 'Person deleted.',
  input: z.object({ sub: subjectIdSchema, version: z.coerce.number().int() }),
  output: z.object({ sub: z.string() }),
  api: { method: 'DELETE', path: '/users/{sub}' },
  run: async (ports, { sub, version }, deed) => {
    const stored = await ports.adminLists.user(sub)
    if (stored === null) return notFound
    const refusal = await refusalToTouch(ports, sub, deed)
    if (refusal !== null) return refusal
    // LG-07: the audit trail stays for ever; of somebody who is deleted this row keeps the name alone
    const before = { username: stored.username }
    const change = {
      writes: [{ kind: 'configuration', changes: { put: {}, remove: { users: [sub] } } }],
      expected: [{ kind: 'user', id: sub, version }],
      audit: [deed.entry({ kind: 'user', id: sub, before, after: null })],
    } as const
    return commit(ports, change, { now: deed.now, value: { sub } })
  },
})
