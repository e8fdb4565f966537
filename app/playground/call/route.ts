/** Handles the buttons of the result page that change tokens. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireCaller, requirePlayground } from '../clients.ts'
import { callRevocation, requestTokens } from '../own-endpoints.ts'
import { playgroundPath, readRun, readTokens, tokenCookies } from '../run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/playground/call',
  async ({ request, form, services }) => {
    requirePlayground(services)
    const run = readRun(services, request)
    if (run === null) return seeOther('/playground')
    const caller = await requireCaller(services, run)
    const kept = readTokens(request)
    if (form.call === 'refresh' && kept.refresh_token !== undefined) {
      const refresh = { grant_type: 'refresh_token', refresh_token: kept.refresh_token }
      const tokens = await requestTokens(caller, refresh)
      if ('error' in tokens) return seeOther(playgroundPath(run, tokens.error), tokenCookies({}))
      return seeOther('/playground/result?done=refreshed', tokenCookies({ ...kept, ...tokens }))
    }
    // The page keeps the revoked token, to show that it is refused
    if (form.call === 'revoke' && kept.access_token !== undefined) {
      await callRevocation(caller, kept.access_token)
      return seeOther('/playground/result?done=revoked')
    }
    return seeOther('/playground/result')
  },
)
