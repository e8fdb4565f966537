import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { services } from '#lib/server/services.ts'
import { requirePlayground } from '../guard.ts'
import { callbackAddress } from '../playground-app.ts'
import { challengeOf, newProof, proofCookie } from '../proof.ts'

/** Step 1: store a fresh code verifier, and redirect the user with its hash. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/playground/start',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: async ({ services: s }) => {
    const app = await requirePlayground(s)
    const { issuer } = s.config
    const proof = newProof(s.random.id)
    const query = encodeForm([
      ['client_id', app.clientId],
      ['redirect_uri', callbackAddress(issuer)],
      ['response_type', 'code'],
      ['scope', app.scopes],
      ['state', proof.state],
      ['nonce', proof.nonce],
      ['code_challenge', await challengeOf(proof)],
      ['code_challenge_method', 'S256'],
    ])
    return seeOther(`/connect/authorize?${query}`, [proofCookie(proof)])
  },
})
