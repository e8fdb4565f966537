/** One request to the API: who, which use case, with what, and the answer as plain values. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminResult } from '../admin-result.ts'
import type { Actor } from '../use-case.ts'
import { type Problem, problem, problemOf } from './problem.ts'
import { type Matched, matchRoute } from './routes.ts'

export type ApiRequest = {
  readonly method: string
  /** Below the root, as it stands in the address. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The parsed body; `undefined` without one. */
  readonly body: JsonValue | undefined
  /** `If-Match`, as it came. */
  readonly ifMatch: string | null
}

export type ApiAnswer =
  | {
      readonly kind: 'value'
      readonly status: number
      readonly value: unknown
      readonly version: number | null
    }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly allow: readonly string[] }

export async function answerApi(
  ports: AdminPorts,
  { request, actor }: { readonly request: ApiRequest; readonly actor: Actor },
  context: RequestContext,
): Promise<ApiAnswer> {
  const { referenceId } = context
  const match = matchRoute(request.method, request.path)
  if (match === null) return refused(problemOf({ kind: 'not_found' }, referenceId))
  if ('allowed' in match) {
    const detail = `Use ${match.allowed.join(' or ')}.`
    return refused(problem('method_not_allowed', { detail, referenceId }), match.allowed)
  }
  const input = inputOf(match, request)
  if (input === 'not_an_object')
    return refused(problem('invalid', { detail: 'Send a JSON object.', referenceId }))
  if (lacksVersion(match, input)) {
    const detail = 'Send the ETag of what you read as If-Match, so that nobody is overwritten.'
    return refused(problem('precondition_required', { detail, referenceId }))
  }
  const result = await match.useCase.perform(ports, input, { actor, context })
  return result.kind === 'ok' ? answered(match, result) : refused(problemOf(result, referenceId))
}

/** Body (or query), then the path, then `If-Match`: what the address names cannot be named otherwise. */
function inputOf(
  { useCase, named }: Matched,
  request: ApiRequest,
): Record<string, unknown> | 'not_an_object' {
  const { body = {}, query, ifMatch } = request
  const given = useCase.api.method === 'GET' || useCase.api.method === 'DELETE' ? query : body
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'not_an_object'
  const version = ifMatch === null ? {} : { version: versionIn(ifMatch) }
  return { ...given, ...named, ...version }
}

/** RFC 9110 13.1.1; ours are strong tags around a number. */
function versionIn(ifMatch: string): number {
  return Number(/^"(\d{1,15})"$/.exec(ifMatch.trim())?.[1] ?? Number.NaN)
}

/** RFC 6585 3: a change of something that has versions says which one it changes. */
function lacksVersion({ useCase }: Matched, input: Record<string, unknown>): boolean {
  const { shape } = 'shape' in useCase.input ? useCase.input : { shape: {} }
  const isVersioned = typeof shape === 'object' && shape !== null && 'version' in shape
  return isVersioned && input.version === undefined
}

function answered({ useCase }: Matched, { value }: Extract<AdminResult<unknown>, { kind: 'ok' }>): ApiAnswer {
  return { kind: 'value', status: useCase.api.status ?? 200, value, version: versionOf(value) }
}

function versionOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('version' in value)) return null
  return typeof value.version === 'number' ? value.version : null
}

function refused(described: Problem, allow: readonly string[] = []): ApiAnswer {
  return { kind: 'problem', problem: described, allow }
}
