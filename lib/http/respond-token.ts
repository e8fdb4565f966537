/** Writers for the token endpoint and its neighbours that authenticate clients (RFC 6749 5, TK-10, TK-18). */
import type { IntrospectionOutcome } from '#lib/core/introspection/introspection.ts'
import type { RevocationOutcome } from '#lib/core/revocation/revocation.ts'
import type { Refusal, TokenOutcome } from '#lib/core/token/client-request.ts'
import type { ErrorCode } from '#lib/errors/catalog.ts'
import type { WriteRefusal } from './exchange.ts'
import { type Refused, refusedWith, retryHeaders } from './refused.ts'
import { emptyReply, jsonReply, type Reply } from './reply.ts'

/** RFC 6749 5.1: also for caches that only know HTTP/1.0. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

/** The codes that a client can receive here; internal ones are mapped to the closest registered code. */
const wireCodes: Partial<Readonly<Record<ErrorCode, ErrorCode>>> = {
  content_too_large: 'invalid_request',
  uri_too_long: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  method_not_allowed: 'invalid_request',
  request_timeout: 'invalid_request',
  not_found: 'invalid_request',
  unknown_client: 'invalid_client',
  too_many_requests: 'temporarily_unavailable',
}

export function respondToken(outcome: TokenOutcome): Reply {
  return outcome.kind === 'issued'
    ? jsonReply(200, outcome.response, uncached)
    : respondRefusal(outcome.refusal)
}

/** A refusal that the core decided on. */
export function respondRefusal(refusal: Refusal): Reply {
  return jsonRefusal(refusedWith(refusal.code, refusal.description, refusal.retryAfterSeconds))
}

/** A refusal thrown on the way, as JSON. */
export const refuseWithJson: WriteRefusal = refused => jsonRefusal(refused)

function jsonRefusal(refused: Refused): Reply {
  const body = { error: wireCodes[refused.code] ?? refused.code, error_description: refused.description }
  return jsonReply(refused.status, body, {
    ...uncached,
    ...retryHeaders(refused.retryAfterSeconds),
    ...challenge(refused.status),
  })
}

/** RFC 6749 5.2 and RFC 9110 11.6.1: a 401 names the scheme that would help. */
function challenge(status: number): Readonly<Record<string, string>> {
  return status === 401 ? { 'www-authenticate': 'Basic realm="Latchkey", charset="UTF-8"' } : {}
}

/** RFC 7009 2.2: an empty 200, whether there was anything to revoke or not. */
export function respondRevocation(outcome: RevocationOutcome): Reply {
  return outcome.kind === 'done' ? emptyReply(200, uncached) : respondRefusal(outcome.refusal)
}

export function respondIntrospection(outcome: IntrospectionOutcome): Reply {
  return outcome.kind === 'answered'
    ? jsonReply(200, outcome.response, uncached)
    : respondRefusal(outcome.refusal)
}
