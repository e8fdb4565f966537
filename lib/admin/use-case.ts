/**
 * One thing an admin can do. Whoever calls it (a form, the API, a test) goes through the same guard, the same schema and
 * the same audit: there is no other way in.
 */
import type { z } from 'zod'
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AuditEntry, Change, Committed, HeldRole, TargetKind } from '#lib/ports/admin-store.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { may, type Permission, rolesThatMay } from './access/permissions.ts'
import type { AdminPorts } from './admin-ports.ts'
import type { AdminResult, FieldError } from './admin-result.ts'
import { fieldErrors, malformedTexts, withOthers } from './field-errors.ts'

export type Actor = {
  readonly subject: SubjectId
  readonly role: AdminRole
  /** `null`: the caller is a client that acts for itself, and no person. */
  readonly authenticatedAt: Date | null
}

/** One call: who, when, and under which reference. */
export type Deed = {
  readonly actor: Actor
  readonly now: Date
  readonly context: RequestContext
  /** An audit row of this deed. `before` and `after` must hold no secret. */
  readonly entry: (target: {
    readonly kind: TargetKind
    readonly id: string
    readonly before: JsonValue | null
    readonly after: JsonValue | null
  }) => AuditEntry
}

/** A posted form: every value of each name, in order. */
export type FormFields = Readonly<Record<string, readonly string[]>>

/** How the REST API serves it. Names in braces come from the path, all else from the body (or the query of a GET). */
export type ApiRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly status?: 200 | 201 | 204
}

export type UseCaseDefinition<I extends z.ZodType, O> = {
  /** `resource.verb`, such as `clients.update`. */
  readonly name: string
  readonly permission: Permission
  /** One sentence, for the API's description. */
  readonly summary: string
  /** What the admin reads when it worked, such as "Client saved." */
  readonly done: string
  /** AD-04: wants a sign-in of the last minutes. */
  readonly isSensitive?: boolean
  /** AD-05: its answer holds a secret; a page shows it once. */
  readonly isShownOnce?: boolean
  /** It only looks, although its permission is one to change: no change is recorded. */
  readonly changesNothing?: boolean
  readonly input: I
  /** Describes `value` of an `ok` for the API. */
  readonly output: z.ZodType<O>
  /** Reads the posted form into what `input` checks; without it each field is a text. */
  readonly fromForm?: (fields: FormFields) => unknown
  /**
   * What `run` would refuse in the fields: asked where `input` refused something, so that everything is told at once, and
   * before a fresh sign-in, so that nobody signs in to learn of a slip. Reads of `raw` what can be read.
   */
  readonly alsoWrong?: (ports: AdminPorts, raw: unknown, now: Date) => Promise<readonly FieldError[]>
  readonly api: ApiRoute | null
  readonly run: (ports: AdminPorts, input: z.output<I>, deed: Deed) => Promise<AdminResult<O>>
}

export type UseCase = {
  readonly name: string
  readonly permission: Permission
  readonly summary: string
  readonly done: string
  readonly isSensitive: boolean
  readonly isShownOnce: boolean
  readonly input: z.ZodType
  readonly output: z.ZodType
  readonly fromForm: (fields: FormFields) => unknown
  readonly api: ApiRoute | null
  readonly perform: (ports: AdminPorts, raw: unknown, visit: Visit) => Promise<AdminResult<unknown>>
}

export type Visit = { readonly actor: Actor; readonly context: RequestContext }

/** A use case with the types of its input and its answer, for pages and other use cases. */
export type CalledWith<Raw, O> = UseCase & {
  readonly call: (ports: AdminPorts, raw: Raw, visit: Visit) => Promise<AdminResult<O>>
}

/** Closes over the types of input and output, so that all use cases fit into one registry. */
export function defineUseCase<I extends z.ZodType, O>(
  definition: UseCaseDefinition<I, O>,
): CalledWith<z.input<I>, O> {
  const perform = (ports: AdminPorts, raw: unknown, visit: Visit) => performed(definition, ports, raw, visit)
  return {
    ...definition,
    isSensitive: definition.isSensitive ?? false,
    isShownOnce: definition.isShownOnce ?? false,
    fromForm: definition.fromForm ?? lastOfEach,
    perform,
    call: perform,
  }
}

async function performed<I extends z.ZodType, O>(
  definition: UseCaseDefinition<I, O>,
  ports: AdminPorts,
  raw: unknown,
  visit: Visit,
): Promise<AdminResult<O>> {
  const { name, permission, isSensitive = false, run } = definition
  const { actor } = visit
  const now = ports.clock.now()
  const alsoWrong = async () => (await definition.alsoWrong?.(ports, raw, now)) ?? []
  if (!may(actor.role, permission)) return refused(ports, visit, definition, sentenceFor(permission))
  const malformed = malformedTexts(raw)
  if (malformed.length > 0) return { kind: 'invalid', errors: malformed }
  const parsed = definition.input.safeParse(raw, { error: plainMessage })
  if (!parsed.success)
    return { kind: 'invalid', errors: withOthers(fieldErrors(parsed.error), await alsoWrong()) }
  if (isSensitive && !isFresh(actor, now)) {
    const errors = await alsoWrong()
    return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'step_up' }
  }
  const result = await run(ports, parsed.data, deedOf(name, visit, now))
  if (result.kind === 'denied') return refused(ports, visit, definition, result.reason)
  if (result.kind === 'ok' && isChange(definition)) recordChange(ports, visit, name)
  return result
}

/** Whether the admin proved who they are lately enough for what must not be done at an unlocked screen. */
export function isFresh({ authenticatedAt }: Pick<Actor, 'authenticatedAt'>, now: Date): boolean {
  return authenticatedAt === null || secondsAfter(authenticatedAt, limits.stepUpSeconds) > now
}

function refused(
  ports: AdminPorts,
  { actor, context }: Visit,
  { name, permission }: { readonly name: string; readonly permission: Permission },
  reason: string,
): AdminResult<never> {
  const details = { action: name, permission, role: actor.role }
  ports.events.record(
    { name: 'admin_refused', outcome: 'failure', subject: actor.subject, reason: 'not_allowed', details },
    context,
  )
  return { kind: 'denied', reason }
}

function sentenceFor(permission: Permission): string {
  const roles = rolesThatMay(permission).map(role => role.replace('_', ' '))
  return `Your role does not allow this. It takes one of: ${roles.join(', ')}.`
}

function recordChange(ports: AdminPorts, { actor, context }: Visit, action: string): void {
  const details = { action, role: actor.role }
  ports.events.record({ name: 'admin_changed', outcome: 'success', subject: actor.subject, details }, context)
}

function isChange({
  permission,
  changesNothing = false,
}: {
  readonly permission: Permission
  readonly changesNothing?: boolean
}): boolean {
  return !changesNothing && !permission.endsWith(':read') && !permission.endsWith(':export')
}

function deedOf(action: string, { actor, context }: Visit, now: Date): Deed {
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
      referenceId: context.referenceId,
      address: context.address,
    }),
  }
}

function lastOfEach(fields: FormFields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.at(-1) ?? '']))
}

/**
 * Commits and says in the terms of a use case how that went. Whoever acts must still hold their role then. `current`
 * reads what stands now, for the conflict view.
 */
export async function commit<T>(
  ports: AdminPorts,
  change: Change,
  { now, value, current }: Committing<T>,
): Promise<AdminResult<T>> {
  const roles = [...(change.roles ?? []), ...change.audit.flatMap(actorOf)]
  const committed = await ports.adminStore.commit({ ...change, roles }, now)
  return committed.kind === 'done' ? { kind: 'ok', value } : notCommitted(committed, current)
}

type Committing<T> = {
  readonly now: Date
  readonly value: T
  readonly current?: () => Promise<JsonValue | null>
}

function actorOf({ actor, actorRole }: AuditEntry): readonly HeldRole[] {
  return actor === null ? [] : [{ subject: actor, role: actorRole }]
}

async function notCommitted(
  committed: Exclude<Committed, { kind: 'done' }>,
  current: (() => Promise<JsonValue | null>) | undefined,
): Promise<AdminResult<never>> {
  if (committed.kind === 'last_owner')
    return { kind: 'denied', reason: 'There must be at least one owner: appoint another one first.' }
  if (committed.kind === 'role_changed')
    return { kind: 'denied', reason: 'A role changed meanwhile: yours, or theirs. Nothing was changed.' }
  if (committed.kind === 'gone')
    return { kind: 'conflict', reason: 'This was used or removed meanwhile.', current: null }
  const reason =
    committed.reason ?? 'Somebody else changed this while you were at it. Nothing was overwritten.'
  return { kind: 'conflict', reason, current: (await current?.()) ?? null }
}
