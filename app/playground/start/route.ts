/**
 * Starts a run: stores it, and redirects the user to the authorization endpoint. For client credentials, requests the tokens and
 * redirects to the result instead.
 */
import { hostedFormOf, readPermissionForm } from '#app/_ui/hosted-route.ts'
import { authorizationPath, fittingScopes, flowsOf, kindsOfScopes } from '#lib/admin/flow-runs/flows.ts'
import { seeOther } from '#lib/http/reply.ts'
import { redirectUriOf, requireCaller, requirePlayground } from '../clients.ts'
import { requestTokens } from '../own-endpoints.ts'
import { newRun, playgroundPath, readRun, runCookie, tokenCookies } from '../run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/playground/start',
  async ({ request, form, services }) => {
    requirePlayground(services)
    const chosen = form.one('client') ?? ''
    const earlier = readRun(services, request)
    // Keeps the secret that was entered for the last run of this client
    const kept = earlier?.client === chosen ? earlier.secret : null
    const entered = { client: chosen, secret: form.one('client_secret') ?? kept }
    const caller = await requireCaller(services, entered)
    const flow = flowsOf(caller.client).find(name => name === form.one('flow'))
    if (flow === undefined) return seeOther('/playground')
    const choices = {
      ...{ ...entered, flow, scopes: form.all('scope'), prompt: form.one('prompt') ?? '' },
      acrValues: form.one('acr_values')?.trim() ?? '',
      maxAge: form.one('max_age')?.trim() ?? '',
    }
    const run = newRun(choices, services.ports.random.id)
    const cookie = runCookie(services, run)
    const scopes = fittingScopes(flow, run.scopes, await kindsOfScopes(services.ports.scopes))
    if (flow !== 'client_credentials') {
      const redirectUri = redirectUriOf(services.config.issuer)
      const request = { ...run, clientId: run.client, flow, scopes, redirectUri }
      return seeOther(authorizationPath(services.ports, request), [cookie])
    }
    const tokens = await requestTokens(caller, { grant_type: flow, scope: scopes.join(' ') })
    if ('error' in tokens) return seeOther(playgroundPath(run, tokens.error), [cookie])
    return seeOther('/playground/result', [cookie, ...tokenCookies(tokens)])
  },
  readPermissionForm,
)
