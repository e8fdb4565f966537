/** Writers for the two validation endpoints: `{"Message": …}` as IdentityServer3 has it, and the code in addition. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { WriteRefusal } from './exchange.ts'
import { retryHeaders } from './refused.ts'
import { jsonReply, type Reply } from './reply.ts'

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

export type ValidationAnswer =
  | { readonly kind: 'valid'; readonly claims: Readonly<Record<string, JsonValue>> }
  | {
      readonly kind: 'invalid'
      readonly message: string
      readonly error: string
      readonly status: number
      readonly retryAfterSeconds: number | null
    }

export function respondValidation(answer: ValidationAnswer): Reply {
  if (answer.kind === 'valid') return jsonReply(200, answer.claims, uncached)
  const body = { Message: answer.message, error: answer.error }
  return jsonReply(answer.status, body, { ...uncached, ...retryHeaders(answer.retryAfterSeconds) })
}

export const refuseWithMessage: WriteRefusal = ({ status, description, code, retryAfterSeconds }) =>
  jsonReply(
    status,
    { Message: description, error: code },
    { ...uncached, ...retryHeaders(retryAfterSeconds) },
  )
