/**
 * One thing that an administrator can do, as forms, the API and tests call it. `run-use-case.ts` runs it: every caller
 * passes the same permission check, schema and audit.
 */
import type { z } from 'zod'
import type { AuditEntry, TargetKind } from '#lib/ports/admin-store.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Permission } from './access/permissions.ts'
import type { AdminPorts } from './admin-ports.ts'
import type { AdminResult, FieldError } from './admin-result.ts'
import { runUseCase } from './run-use-case.ts'

export type Actor = {
  readonly subject: SubjectId
  readonly role: AdminRole
  /** `null`: a client that acts for itself, without a user. */
  readonly authenticatedAt: Date | null
}

export type Caller = { readonly actor: Actor; readonly context: RequestContext }

/** One call of a use case: by which administrator, when, and in which request. */
export type AdminCall = Caller & {
  readonly now: Date
  /** The audit row of this call. `before` and `after` must not contain secrets. */
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
  /** One sentence, for the description of the API. */
  readonly summary: string
  /** What the admin reads when it worked, such as "Client saved." */
  readonly done: string
  /** AD-04: requires a sign-in of the last minutes. */
  readonly isSensitive?: boolean
  /** AD-05: its result contains a secret; a page shows it once. */
  readonly isShownOnce?: boolean
  /** It only reads, although its permission is one to change: no change is recorded. */
  readonly changesNothing?: boolean
  readonly input: I
  /** Describes `value` of an `ok` for the API. */
  readonly output: z.ZodType<O>
  /** Converts the posted form to what `input` checks; without it each field is a text. */
  readonly fromForm?: (fields: FormFields) => unknown
  /**
   * The field errors that `run` would return. Called where `input` refused something, so that all errors are shown
   * together, and before a fresh sign-in is required, so that no admin signs in only to read of a mistake. It reads of
   * `raw` what is valid.
   */
  readonly validate?: (ports: AdminPorts, raw: unknown, now: Date) => Promise<readonly FieldError[]>
  readonly api: ApiRoute | null
  readonly run: (ports: AdminPorts, input: z.output<I>, call: AdminCall) => Promise<AdminResult<O>>
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
  /** NOTE: a method, so that a `TypedUseCase` is one as well: `input` checks what forms and the API send. */
  call(ports: AdminPorts, raw: unknown, caller: Caller): Promise<AdminResult<unknown>>
}

/** A use case with the types of its input and its result, for pages and other use cases. */
export type TypedUseCase<Raw, O> = Omit<UseCase, 'call'> & {
  call(ports: AdminPorts, raw: Raw, caller: Caller): Promise<AdminResult<O>>
}

/** Hides the types of input and output, so that all use cases fit into one registry. */
export function defineUseCase<I extends z.ZodType, O>(
  definition: UseCaseDefinition<I, O>,
): TypedUseCase<z.input<I>, O> {
  const { name, permission, summary, done, input, output, api } = definition
  const { isSensitive = false, isShownOnce = false, fromForm = lastOfEach } = definition
  return {
    ...{ name, permission, summary, done, input, output, api, isSensitive, isShownOnce, fromForm },
    call: (ports, raw, caller) => runUseCase(definition, ports, raw, caller),
  }
}

function lastOfEach(fields: FormFields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.at(-1) ?? '']))
}
