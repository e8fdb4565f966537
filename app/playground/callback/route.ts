import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm, readQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { services } from '#lib/server/services.ts'
import { decodeToken, textOf } from '../decode-token.ts'
import { requirePlayground } from '../guard.ts'
import { tokenCookies, tokenResponseSchema } from '../kept-tokens.ts'
import { callTokenEndpoint } from '../own-endpoints.ts'
import { callbackAddress, type PlaygroundApp } from '../playground-app.ts'
import { endedProofCookie, type Proof, readProof } from '../proof.ts'

/** Steps 3 and 4: the user returns with a code, which is exchanged with the code verifier for tokens. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/playground/callback',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: async ({ request, services: s }) => {
    const app = await requirePlayground(s)
    const { issuer } = s.config
    const answer = readQuery(request)
    const proof = readProof(request.headers.get('cookie'))
    if (proof === null || answer.state !== proof.state) return failed('state_mismatch')
    // RFC 9207 2.4: an answer of another server is not for us.
    if (answer.iss !== issuer) return failed('iss_mismatch')
    if (answer.code === undefined) return failed(answer.error ?? 'no_code')
    return redeem({ issuer, app }, answer.code, proof)
  },
})

type Player = { readonly issuer: string; readonly app: PlaygroundApp }

async function redeem({ issuer, app }: Player, code: string, proof: Proof): Promise<Reply> {
  const { body } = await callTokenEndpoint(issuer, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callbackAddress(issuer),
    code_verifier: proof.verifier,
  })
  const tokens = tokenResponseSchema.safeParse(body)
  if (!tokens.success) return failed('token_refused')
  const nonce = textOf(decodeToken(tokens.data.id_token ?? '')?.claims ?? null, 'nonce')
  if (nonce !== proof.nonce) return failed('nonce_mismatch')
  return seeOther('/playground/result', [...tokenCookies(tokens.data), endedProofCookie()])
}

function failed(error: string): Reply {
  return seeOther(`/playground?${encodeForm([['error', error]])}`, [endedProofCookie()])
}
