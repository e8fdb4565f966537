import { jsonRoute } from '#app/routes.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'

/** The other sites that may use the passkeys of this server (Web Authentication Level 3, 5.11.1). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/.well-known/webauthn', {
  GET: ({ services }) => {
    const { relatedOrigins } = services.config
    return relatedOrigins.length === 0
      ? refuseWithJson(refusalFromCode('not_found'))
      : jsonReply(200, { origins: relatedOrigins })
  },
})
