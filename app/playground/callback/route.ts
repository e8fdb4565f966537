/** Receives the authorization response: redeems the code, or takes the tokens of the implicit flow. */
import { pageRoute } from '#app/routes.ts'
import { claimOf } from '#lib/admin/flow-runs/token-content.ts'
import { type FormFields, readForm, readQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { Services } from '#lib/server/services.ts'
import { redirectUriOf, requireCaller, requirePlayground } from '../clients.ts'
import { errorIn, requestTokens, tokensSchema } from '../own-endpoints.ts'
import { playgroundPath, type Run, readRun, tokenCookies } from '../run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/playground/callback', {
  getChangesState: true,
  GET: ({ request, services }) => complete(services, request, readQuery(request)),
  POST: async ({ request, services }) => complete(services, request, await readForm(request)),
})

async function complete(services: Services, request: Request, answer: FormFields): Promise<Reply> {
  requirePlayground(services)
  const run = readRun(services, request)
  if (run === null || answer.state !== run.state) return seeOther('/playground?error=state_mismatch')
  // RFC 9207 2.4: refuse a response of another server
  if (answer.iss !== services.config.issuer) return seeOther(playgroundPath(run, 'iss_mismatch'))
  if (answer.error !== undefined) return seeOther(playgroundPath(run, errorIn(answer)))
  const tokens =
    answer.code === undefined ? tokensSchema.parse(answer) : await redeem(services, run, answer.code)
  if ('error' in tokens) return seeOther(playgroundPath(run, tokens.error))
  const { id_token: idToken } = tokens
  if (idToken !== undefined && claimOf(idToken, 'nonce') !== run.nonce) {
    return seeOther(playgroundPath(run, 'nonce_mismatch'))
  }
  return seeOther('/playground/result', tokenCookies(tokens))
}

async function redeem(services: Services, run: Run, code: string) {
  const caller = await requireCaller(services, run)
  return requestTokens(caller, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUriOf(caller.issuer),
    code_verifier: run.verifier,
  })
}
