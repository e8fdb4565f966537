import { endpoint } from '#lib/http/endpoint.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

/** Refuses addresses under `/connect` without a route. Programs call them, so the answer is JSON. No event is recorded. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/[...path]',
  writeRefusal: refuseWithJson,
  cors: true,
  GET: refuse,
  POST: refuse,
  PUT: refuse,
  PATCH: refuse,
  DELETE: refuse,
})

function refuse(): Reply {
  return refuseWithJson(refusalFromCode('not_found'))
}
