/** Refusals of the admin API as problem details (RFC 9457), including those that never reach a use case. */
import type { WriteRefusal } from './exchange.ts'
import { type HttpRefusal, retryHeaders } from './http-refusal.ts'
import { jsonReply, type Reply } from './reply.ts'

const mediaType = { 'content-type': 'application/problem+json' } as const
/** Returns the challenge of RFC 6750 3; without `error` for a request without credentials. */
export function apiChallenge(error: string | null, scope: string): Readonly<Record<string, string>> {
  const about = error === null ? '' : `, error="${error}"`
  const wanted = error === 'insufficient_scope' ? `, scope="${scope}"` : ''
  return { 'www-authenticate': `Bearer realm="Latchkey admin"${about}${wanted}` }
}

export function problemReply<P extends { readonly status: number }>(
  problem: P,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return jsonReply(problem.status, problem, { ...headers, ...mediaType })
}

export const refuseWithProblem: WriteRefusal = (refused, { context }) =>
  refusalAsProblem(refused, context.requestId)

export function refusalAsProblem(
  { code, status, description, retryAfterSeconds }: HttpRefusal,
  requestId: string,
): Reply {
  return problemReply(
    {
      type: `urn:latchkey:problem:${code.replaceAll('_', '-')}`,
      title: description,
      status,
      detail: description,
      instance: `urn:latchkey:request:${requestId}`,
    },
    retryHeaders(retryAfterSeconds),
  )
}
