/** Refusals of the admin API as problem details (RFC 9457), also those that never reach a use case. */
import type { WriteRefusal } from './exchange.ts'
import { retryHeaders } from './refused.ts'
import { jsonReply, type Reply } from './reply.ts'
import { withHeaders } from './security-headers.ts'

const mediaType = { 'content-type': 'application/problem+json' } as const
const challenge = { 'www-authenticate': 'Bearer realm="Latchkey admin"' } as const

export function problemReply<P extends { readonly status: number }>(
  problem: P,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const reply = jsonReply(problem.status, problem, { ...headers, ...mediaType })
  return problem.status === 401 ? withHeaders(reply, challenge) : reply
}

export const refuseWithProblem: WriteRefusal = (
  { code, status, description, retryAfterSeconds },
  { context },
) =>
  problemReply(
    {
      type: `urn:latchkey:problem:${code.replaceAll('_', '-')}`,
      title: description,
      status,
      detail: description,
      instance: `urn:latchkey:request:${context.referenceId}`,
    },
    retryHeaders(retryAfterSeconds),
  )
