import { jsonReply, toResponse } from './reply.ts'
import { securityHeaders, withHeaders } from './security-headers.ts'

const retryAfterSeconds = '5'

/** The answer while the services cannot be opened: nothing is known, not even the issuer. */
export function unstartedResponse(referenceId: string): Response {
  const reply = jsonReply(503, {
    error: 'temporarily_unavailable',
    error_description: 'The service is not ready. Try again shortly.',
  })
  const headers = {
    ...securityHeaders('http:'),
    'retry-after': retryAfterSeconds,
    'x-reference-id': referenceId,
  }
  return toResponse(withHeaders(reply, headers), false)
}
