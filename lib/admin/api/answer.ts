/** Answers one request to the API: finds the use case, reads its input, and describes the result. */
import type { Reason } from '#lib/errors/reasons.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { may } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, errorFor, type FieldError } from '../admin-result.ts'
import type { Actor } from '../use-case.ts'
import { inputFields } from './openapi.ts'
import { type Problem, problem, problemOf } from './problem.ts'
import { apiRoot } from './root.ts'
import { type Matched, matchRoute } from './routes.ts'

export type ApiRequest = {
  readonly method: string
  /** The path below the root of the API, not decoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The parsed body; `undefined` if there is no body. */
  readonly body: JsonValue | undefined
  /** The `If-Match` header as sent. */
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

type ApiCall = { readonly request: ApiRequest; readonly actor: Actor }

/** Answers a request, and records refusals other than 403 as events under the request ID of the answer. */
export async function answerApi(
  ports: AdminPorts,
  call: ApiCall,
  context: RequestContext,
): Promise<ApiAnswer> {
  const answer = await answerCall(ports, call, context)
  // A missing permission is recorded by the use case. The request for a fresh sign-in is not a failure
  if (answer.kind === 'problem' && answer.problem.status !== 403) {
    const { actor, request } = call
    const reason = reasons[answer.problem.status] ?? 'api_invalid'
    const details = {
      endpoint: `${apiRoot}${request.path}`.slice(0, longestEndpoint),
      method: request.method,
    }
    const { subject } = actor
    ports.events.record({ name: 'request_refused', outcome: 'failure', subject, reason, details }, context)
  }
  return answer
}

const longestEndpoint = 200
const reasons: Readonly<Record<number, Reason>> = {
  404: 'api_not_found',
  405: 'api_method_not_allowed',
  412: 'api_stale_version',
  428: 'api_version_missing',
}

async function answerCall(
  ports: AdminPorts,
  { request, actor }: ApiCall,
  context: RequestContext,
): Promise<ApiAnswer> {
  const { requestId } = context
  const match = matchRoute(request.method, request.path)
  if (match === null) return refused(problemOf({ kind: 'not_found' }, requestId))
  if ('allowed' in match) {
    const detail = `Use ${match.allowed.join(' or ')}.`
    return refused(problem('method_not_allowed', { detail, requestId }), match.allowed)
  }
  const { useCase } = match
  const input = inputOf(match, request)
  // AD-01: a missing permission is reported before problems of the input
  if (input === null && may(actor.role, useCase.permission))
    return refused(problem('invalid', { detail: 'Send a JSON object.', requestId }))
  if (isVersioned(match) && input?.version === undefined && may(actor.role, useCase.permission)) {
    const detail = 'Send the ETag that you read as If-Match, so that no other change is overwritten.'
    return refused(problem('precondition_required', { detail, requestId }))
  }
  const errors = may(actor.role, useCase.permission) ? undescribed(match, request) : []
  if (errors.length > 0) return refused(problemOf({ kind: 'invalid', errors }, requestId))
  const result = await useCase.call(ports, input ?? {}, { actor, context })
  return result.kind === 'ok' ? answered(match, result) : refused(problemOf(result, requestId))
}

/**
 * Merges the body (or the query), the path and `If-Match`; the later ones overwrite fields of the earlier ones. Returns `null` if
 * the body is not an object.
 */
function inputOf(match: Matched, request: ApiRequest): Record<string, unknown> | null {
  const { method, readEarlierBody = body => body } = match.useCase.api
  const given =
    method === 'GET' || method === 'DELETE' ? request.query : request.body === undefined ? {} : request.body
  if (!isRecord(given)) return null
  const version = isVersioned(match) ? { version: versionIn(request.ifMatch) } : {}
  return { ...readEarlierBody(given), ...match.named, ...version }
}

/**
 * Refuses input that the schemas accept for forms but the OpenAPI document does not allow: unknown filters, and numbers sent as
 * text.
 */
function undescribed({ useCase, named }: Matched, { query, body }: ApiRequest): readonly FieldError[] {
  const { properties } = inputFields(useCase)
  if (useCase.api.method === 'GET' || useCase.api.method === 'DELETE') {
    const isKnown = (name: string) => name in properties && !(name in named) && name !== 'version'
    return Object.keys(query).flatMap(name => errorFor(name, isKnown(name) ? null : 'is not a known filter'))
  }
  return Object.entries(isRecord(body) ? body : {}).flatMap(([name, value]) =>
    errorFor(name, isNumeric(properties[name]) && typeof value !== 'number' ? 'must be a number' : null),
  )
}

function isNumeric(schema: unknown): boolean {
  return isRecord(schema) && (schema.type === 'integer' || schema.type === 'number')
}

/** RFC 6585 3: a change of a versioned object must name the version. */
function isVersioned({ useCase }: Matched): boolean {
  const { shape } = 'shape' in useCase.input ? useCase.input : { shape: {} }
  return typeof shape === 'object' && shape !== null && 'version' in shape
}

const noVersion = -1

/**
 * RFC 9110 13.1.1: our entity tags are strong and contain a number; any other tag matches nothing. "*" would match every version,
 * so it counts as missing.
 */
function versionIn(ifMatch: string | null): number | undefined {
  const tag = ifMatch?.trim()
  if (tag === undefined || tag === '*') return undefined
  return Number(/^"(\d{1,15})"$/.exec(tag)?.[1] ?? noVersion)
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
