/** Runs a use case: permission, schema, fresh sign-in, the use case itself, event. `commit` stores what it changes. */
import type { z } from 'zod'
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AuditEntry, Change, Committed, HeldRole } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { may, type Permission, permissionSentence } from './access/permissions.ts'
import type { AdminPorts } from './admin-ports.ts'
import { type AdminResult, denied } from './admin-result.ts'
import { fieldErrors, malformedTexts, mergeErrors } from './field-errors.ts'
import type { Actor, AdminCall, Caller, UseCaseDefinition } from './use-case.ts'

export async function runUseCase<I extends z.ZodType, O>(
  useCase: UseCaseDefinition<I, O>,
  ports: AdminPorts,
  raw: unknown,
  caller: Caller,
): Promise<AdminResult<O>> {
  const { permission, isSensitive = false } = useCase
  const now = ports.clock.now()
  const validate = async () => (await useCase.validate?.(ports, raw, now)) ?? []
  if (!may(caller.actor.role, permission))
    return refuse(ports, caller, useCase, permissionSentence(permission))
  const malformed = malformedTexts(raw)
  if (malformed.length > 0) return { kind: 'invalid', errors: malformed }
  const parsed = useCase.input.safeParse(raw, { error: plainMessage })
  if (!parsed.success)
    return { kind: 'invalid', errors: mergeErrors(fieldErrors(parsed.error), await validate()) }
  if (isSensitive && !isFresh(caller.actor, now)) {
    const errors = await validate()
    return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'step_up' }
  }
  const result = await useCase.run(ports, parsed.data, callOf(useCase.name, caller, now))
  if (result.kind === 'denied') return refuse(ports, caller, useCase, result.reason)
  if (result.kind === 'ok' && isChange(useCase)) recordChange(ports, caller, useCase.name)
  return result
}

/** Whether the admin signed in so recently that the screen is surely not unattended. */
export function isFresh({ authenticatedAt }: Pick<Actor, 'authenticatedAt'>, now: Date): boolean {
  return authenticatedAt === null || secondsAfter(authenticatedAt, limits.stepUpSeconds) > now
}

type Named = { readonly name: string; readonly permission: Permission; readonly changesNothing?: boolean }

function refuse(
  ports: AdminPorts,
  caller: Caller,
  { name, permission }: Named,
  reason: string,
): AdminResult<never> {
  recordRefusal(ports, caller, { action: name, permission })
  return denied(reason)
}

/** AD-01: the event of a page or use case that the role does not permit. */
export function recordRefusal(
  { events }: Pick<AdminPorts, 'events'>,
  { actor, context }: Caller,
  refused: { readonly action?: string; readonly permission: Permission },
): void {
  const details = { ...refused, role: actor.role }
  events.record(
    { name: 'admin_refused', outcome: 'failure', subject: actor.subject, reason: 'not_allowed', details },
    context,
  )
}

function isChange({ permission, changesNothing = false }: Named): boolean {
  return !changesNothing && !permission.endsWith(':read') && !permission.endsWith(':export')
}

function recordChange(ports: AdminPorts, { actor, context }: Caller, action: string): void {
  const details = { action, role: actor.role }
  ports.events.record({ name: 'admin_changed', outcome: 'success', subject: actor.subject, details }, context)
}

function callOf(action: string, { actor, context }: Caller, now: Date): AdminCall {
  return {
    actor,
    now,
    context,
    entry: ({ kind, id, before, after }) => ({
      action,
      actor: actor.subject,
      actorRole: actor.role,
      targetKind: kind,
      targetId: id,
      before,
      after,
      requestId: context.requestId,
      address: context.address,
    }),
  }
}

type Committing<T> = {
  readonly now: Date
  /** The result when it worked. */
  readonly value: T
  /** Reads the current state after a conflict, for the page that compares it. */
  readonly current?: () => Promise<JsonValue | null>
}

/** Stores a change with its audit rows. The actors of the rows must still have their roles then. */
export async function commit<T>(
  ports: AdminPorts,
  change: Change,
  { now, value, current }: Committing<T>,
): Promise<AdminResult<T>> {
  const roles = [...(change.roles ?? []), ...change.audit.flatMap(actorOf)]
  const committed = await ports.adminStore.commit({ ...change, roles }, now)
  return committed.kind === 'done' ? { kind: 'ok', value } : notCommitted(committed, current)
}

function actorOf({ actor, actorRole }: AuditEntry): readonly HeldRole[] {
  return actor === null ? [] : [{ subject: actor, role: actorRole }]
}

async function notCommitted(
  committed: Exclude<Committed, { kind: 'done' }>,
  current: (() => Promise<JsonValue | null>) | undefined,
): Promise<AdminResult<never>> {
  switch (committed.kind) {
    case 'last_owner':
      return denied('There must be at least one owner: appoint a new one first.')
    case 'role_changed':
      return denied(
        'A role changed in the meantime: yours, or that of the other administrator. Nothing was changed.',
      )
    case 'gone':
      return { kind: 'conflict', reason: 'This was used or removed in the meantime.', current: null }
    default: {
      const reason =
        committed.reason ?? 'Another admin changed this while you edited it. Nothing was overwritten.'
      return { kind: 'conflict', reason, current: (await current?.()) ?? null }
    }
  }
}
