/** Writers for userinfo: claims, or a challenge as RFC 6750 3 has it. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { WriteRefusal } from './exchange.ts'
import { retryHeaders } from './refused.ts'
import { emptyReply, jsonReply, type Reply } from './reply.ts'

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const
const realm = 'Bearer realm="Latchkey"'

export type UserinfoAnswer =
  | { readonly kind: 'claims'; readonly claims: Readonly<Record<string, JsonValue>> }
  | {
      readonly kind: 'refused'
      /** `null`: no token was sent, so nothing is said about one (RFC 6750 3.1). */
      readonly code: string | null
      readonly description: string | null
      readonly status: number
    }

export function respondUserinfo(answer: UserinfoAnswer): Reply {
  if (answer.kind === 'claims') return jsonReply(200, answer.claims, uncached)
  return challengeReply(answer.status, answer.code, answer.description)
}

/** Refusals that no token could cure (500, 503, 405) carry no challenge. */
export const refuseWithChallenge: WriteRefusal = ({ status, code, description, retryAfterSeconds }) => {
  if (status === 400 || status === 401 || status === 403) return challengeReply(status, code, description)
  const body = { error: code, error_description: description }
  return jsonReply(status, body, { ...uncached, ...retryHeaders(retryAfterSeconds) })
}

function challengeReply(status: number, code: string | null, description: string | null): Reply {
  if (code === null) return emptyReply(status, { ...uncached, 'www-authenticate': realm })
  const words = [
    realm,
    `error="${code}"`,
    ...(description === null ? [] : [`error_description="${quotable(description)}"`]),
  ]
  const body = { error: code, error_description: description ?? undefined }
  return jsonReply(status, body, { ...uncached, 'www-authenticate': words.join(', ') })
}

/** RFC 6750 3: printable ASCII without quotes and backslash. */
function quotable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
}
