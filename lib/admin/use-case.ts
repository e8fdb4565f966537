/**
 * Defines an action of an administrator for the dashboard and its API: permission, schema, fresh sign-in, function and event.
 * `commit` stores its changes.
 */
import type { z } from 'zod'
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AuditEntry, Change, Committed, HeldRole, TargetKind } from '#lib/ports/admin-store.ts'
import type { AdminSession } from '#lib/ports/administration.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { may, type Permission, permissionSentence } from './access/permissions.ts'
import type { AdminPorts } from './admin-ports.ts'
import {
  type AdminResult,
  denied,
  type FieldError,
  fieldErrors,
  malformedTexts,
  mergeErrors,
} from './admin-result.ts'

export type Actor = {
  readonly subject: SubjectId
  readonly role: AdminRole
  /** The time of the sign-in; `null` for a client that acts for itself, without a user. */
  readonly authenticatedAt: Date | null
}

export type Caller = {
  readonly actor: Actor
  readonly context: RequestContext
  /** The admin session; left out for calls by the API. */
  readonly session?: Pick<AdminSession, 'digest' | 'sessionId'>
}

/** One call of a use case: its administrator, time and request. */
export type AdminCall = Caller & {
  readonly now: Date
  /** Makes the audit row of this call. `before` and `after` must not contain secrets. */
  readonly entry: (target: {
    readonly kind: TargetKind
    readonly id: string
    readonly before: JsonValue | null
    readonly after: JsonValue | null
  }) => AuditEntry
}

/** A posted form: all values of each field, in order. */
export type FormFields = Readonly<Record<string, readonly string[]>>

/**
 * The route in the API. Fields in braces come from the path, `version` from `If-Match`, others from the body or, for GET and
 * DELETE, from the query.
 */
export type ApiRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly status?: 200 | 201 | 204
  /** Reads the body that the API took in an earlier release. */
  readonly readEarlierBody?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

type Description = {
  /** The name of the use case in the format `area.verb`, such as `clients.update`. */
  readonly name: string
  readonly permission: Permission
  /** A sentence for the OpenAPI document. */
  readonly summary: string
}

export type UseCaseDefinition<I extends z.ZodType, O> = Description & {
  /** A success message, such as "Client saved." */
  readonly done?: string
  /** The route in the API; left out if the API does not serve the use case. */
  readonly api?: ApiRoute
  /** AD-04: whether a fresh sign-in is required. */
  readonly isSensitive?: boolean
  /** AD-05: whether a page shows the result once: it contains a secret, or belongs to one action, such as a test. */
  readonly isShownOnce?: boolean
  /** The address to which the form leads, such as the address of an identity provider; `null` for the next page. */
  readonly leadsTo?: (value: O) => string | null
  /** Whether the use case only reads although its permission allows changes. No change is recorded then. */
  readonly changesNothing?: boolean
  readonly input: I
  /** The schema of the result, for the OpenAPI document. */
  readonly output: z.ZodType<O>
  /** Converts a posted form to the input. Without it each field is a text. */
  readonly fromForm?: (fields: FormFields) => unknown
  /**
   * Returns the field errors that `run` would return, for the valid parts of `raw`. Called if `input` refused other fields, so
   * that all errors are shown together, and before a fresh sign-in is required, so that no admin signs in only to learn of an
   * error.
   */
  readonly validate?: (ports: AdminPorts, raw: unknown, now: Date) => Promise<readonly FieldError[]>
  readonly run: (ports: AdminPorts, input: z.output<I>, call: AdminCall) => Promise<AdminResult<O>>
}

/** A use case as pages and other use cases call it. `Raw` is the type of its input before validation, `O` that of its result. */
export type UseCase<Raw = unknown, O = unknown> = Description & {
  /** The success message; empty if there is none. */
  readonly done: string
  readonly api: ApiRoute | null
  readonly isSensitive: boolean
  readonly isShownOnce: boolean
  readonly input: z.ZodType
  readonly output: z.ZodType
  readonly fromForm: (fields: FormFields) => unknown
  /**
   * NOTE: written as methods, whose parameters TypeScript compares loosely, so that every use case is a `UseCase`. `input`
   * validates what is sent.
   */
  leadsTo(value: O): string | null
  call(ports: AdminPorts, raw: Raw, caller: Caller): Promise<AdminResult<O>>
}

/** Defines a use case that checks permission, input and fresh sign-in before it runs. */
export function defineUseCase<I extends z.ZodType, O>(
  definition: UseCaseDefinition<I, O>,
): UseCase<z.input<I>, O> {
  const { name, permission, summary, done = '', input, output, api = null } = definition
  const { isSensitive = false, isShownOnce = false, fromForm = lastOfEach, leadsTo = () => null } = definition
  return {
    ...{ name, permission, summary, done, input, output, api, isSensitive, isShownOnce, fromForm, leadsTo },
    call: (ports, raw, caller) => runUseCase(definition, ports, raw, caller),
  }
}

/** Reads each field of a form as one text; the last value counts. */
export function lastOfEach(fields: FormFields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.at(-1) ?? '']))
}

async function runUseCase<I extends z.ZodType, O>(
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
    return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'fresh_sign_in_required' }
  }
  const result = await useCase.run(ports, parsed.data, callOf(useCase.name, caller, now))
  if (result.kind === 'denied') return refuse(ports, caller, useCase, result.reason)
  if (result.kind === 'ok' && isChange(useCase)) recordChange(ports, caller, useCase.name)
  return result
}

/** Whether the admin signed in within `limits.freshSignInSeconds`, or the caller is a client without a user. */
export function isFresh({ authenticatedAt }: Pick<Actor, 'authenticatedAt'>, now: Date): boolean {
  return authenticatedAt === null || secondsAfter(authenticatedAt, limits.freshSignInSeconds) > now
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

/** AD-01: records that a page or use case was refused to an administrator. */
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

/** Records a request for a page or object of the dashboard that does not exist. `area` is its address without user input. */
export function recordUnknownPage(
  { events }: Pick<AdminPorts, 'events'>,
  { actor: { subject }, context }: Caller,
  area: string,
): void {
  const about = { subject, reason: 'admin_target_unknown', details: { endpoint: area } } as const
  events.record({ name: 'request_refused', outcome: 'failure', ...about }, context)
}

function isChange({ permission, changesNothing = false }: Named): boolean {
  return !changesNothing && !permission.endsWith(':read') && !permission.endsWith(':export')
}

function recordChange(ports: AdminPorts, { actor, context }: Caller, action: string): void {
  const details = { action, role: actor.role }
  ports.events.record({ name: 'admin_changed', outcome: 'success', subject: actor.subject, details }, context)
}

function callOf(action: string, caller: Caller, now: Date): AdminCall {
  const { actor, context } = caller
  return {
    ...caller,
    now,
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
  /** The result if the change was stored. */
  readonly value: T
  /** Reads the current state after a conflict, for the page that compares it. */
  readonly current?: () => Promise<JsonValue | null>
}

/**
 * Stores a change with its audit rows. Stores nothing if there is a conflict, if no owner would be left, or if an actor of these
 * rows or an administrator in `change.roles` no longer has the role.
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
