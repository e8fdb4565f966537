import { jsonRoute } from '#app/routes.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'

/** Refuses addresses under `/connect` without a route. Programs call them, so the answer is JSON. No event is recorded. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/connect/[...path]', {
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
