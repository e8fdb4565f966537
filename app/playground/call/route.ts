/** The requests of the result page that change the tokens. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireClient, requirePlayground } from '../clients.ts'
import { callRevocation, callTokenEndpoint } from '../own-endpoints.ts'
import { errorIn, playgroundPath, readRun, readTokens, tokenCookies, tokensSchema } from '../run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/playground/call',
  async ({ request, form, services }) => {
    requirePlayground(services)
    const run = readRun(services, request)
    if (run === null) return seeOther('/playground')
    const { client, secret } = await requireClient(services, run.client)
    const caller = { issuer: services.config.issuer, client, secret: secret ?? run.secret }
    const kept = readTokens(request)
    if (form.call === 'refresh' && kept.refresh_token !== undefined) {
      const refresh = { grant_type: 'refresh_token', refresh_token: kept.refresh_token }
      const { status, body } = await callTokenEndpoint(caller, refresh)
      const tokens = tokensSchema.safeParse(body)
      if (status !== 200 || !tokens.success)
        return seeOther(playgroundPath(run, errorIn(body)), tokenCookies({}))
      return seeOther('/playground/result?done=refreshed', tokenCookies({ ...kept, ...tokens.data }))
    }
    // The revoked token stays on the page, which shows that it is refused
    if (form.call === 'revoke' && kept.access_token !== undefined) {
      await callRevocation(caller, kept.access_token)
      return seeOther('/playground/result?done=revoked')
    }
    return seeOther('/playground/result')
  },
)
