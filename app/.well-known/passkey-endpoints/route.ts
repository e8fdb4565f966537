import { jsonRoute } from '#app/routes.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

/** The addresses to which credential managers send users (W3C Passkey Endpoints). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/.well-known/passkey-endpoints', {
  GET: ({ services }) => {
    const { issuer, relyingParty } = services.config
    return relyingParty.kind === 'off'
      ? refuseWithJson(refusalFromCode('not_found'))
      : jsonReply(200, {
          enroll: ownUrl(issuer, '/account/passkeys/add'),
          manage: ownUrl(issuer, '/account/passkeys'),
        })
  },
})
