/** Refusals of the API as problem details (RFC 9457). */
import type { AdminResult, FieldError } from '../admin-result.ts'

export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Contains the request ID, which the log and the events also have. */
  readonly instance: string
  readonly errors?: ReadonlyArray<{ readonly pointer: string; readonly detail: string }>
  /** The current state after a conflict, in the format of the input; `null` if the object was deleted. */
  readonly current?: unknown
}

type Kind = { readonly title: string; readonly status: number }

const kinds = {
  invalid: { title: 'The input is invalid', status: 400 },
  unauthorized: { title: 'A valid access token is missing', status: 401 },
  denied: { title: 'This is not allowed', status: 403 },
  not_found: { title: 'Not found', status: 404 },
  method_not_allowed: { title: 'Method not allowed', status: 405 },
  conflict: { title: 'The object has changed', status: 412 },
  precondition_required: { title: 'If-Match is missing', status: 428 },
} as const satisfies Readonly<Record<string, Kind>>

export type ProblemKind = keyof typeof kinds

type About = {
  readonly detail: string
  readonly requestId: string
  readonly errors?: readonly FieldError[]
  readonly current?: unknown
}

/** Makes the problem details of a refusal. `type` is a URN: it names the problem and need not be looked up (RFC 9457 3.1.1). */
export function problem(kind: ProblemKind, { detail, requestId, errors, current }: About): Problem {
  return {
    type: `urn:latchkey:problem:${kind.replaceAll('_', '-')}`,
    ...kinds[kind],
    detail,
    instance: `urn:latchkey:request:${requestId}`,
    ...(errors === undefined ? {} : { errors: errors.map(pointed) }),
    ...(current === undefined ? {} : { current }),
  }
}

/** Describes a result other than `ok` as a problem. */
export function problemOf(result: Exclude<AdminResult<unknown>, { kind: 'ok' }>, requestId: string): Problem {
  switch (result.kind) {
    case 'invalid':
      return problem('invalid', { detail: summaryOf(result.errors), requestId, errors: result.errors })
    case 'conflict':
      return problem('conflict', { detail: result.reason, requestId, current: result.current })
    case 'denied':
      return problem('denied', { detail: result.reason, requestId })
    case 'not_found':
      return problem('not_found', { detail: 'There is no such object.', requestId })
    case 'fresh_sign_in_required':
      return problem('denied', { detail: 'This requires a fresh sign-in.', requestId })
  }
}

function summaryOf(errors: readonly FieldError[]): string {
  const [first, ...others] = errors
  if (first === undefined) return 'The input is invalid.'
  const more = others.length === 0 ? '' : ` And ${others.length} more.`
  return `${first.path === '' ? '' : `${first.path}: `}${first.message}${more}`
}

/** The field of an error as a JSON Pointer (RFC 6901). */
function pointed({ path, message }: FieldError) {
  const steps =
    path === '' ? [] : path.split('.').map(step => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  return { pointer: ['#', ...steps].join('/'), detail: message }
}
