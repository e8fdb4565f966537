/** Starts a run: stores it, and redirects the user to the authorization endpoint. */
import { hostedFormOf, readPermissionForm } from '#app/_ui/hosted-route.ts'
import {
  type BrowserFlow,
  fittingScopes,
  flowsOf,
  kindsOfScopes,
  responseOf,
} from '#lib/admin/flow-runs/flows.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { openidScope } from '#lib/protocol/wire/scopes.ts'
import type { Services } from '#lib/server/services.ts'
import { redirectUriOf, requireCaller, requirePlayground } from '../clients.ts'
import { requestTokens } from '../own-endpoints.ts'
import { newRun, playgroundPath, type Run, readRun, runCookie, tokenCookies } from '../run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/playground/start',
  async ({ request, form, services }) => {
    requirePlayground(services)
    const chosen = form.one('client') ?? ''
    const earlier = readRun(services, request)
    // The secret that was entered for the last run of the same client
    const kept = earlier?.client === chosen ? earlier.secret : null
    const entered = { client: chosen, secret: form.one('client_secret') ?? kept }
    const caller = await requireCaller(services, entered)
    const flow = flowsOf(caller.client).find(name => name === form.one('flow'))
    if (flow === undefined) return seeOther('/playground')
    const choices = { ...entered, flow, scopes: form.all('scope'), prompt: form.one('prompt') ?? '' }
    const run = newRun(choices, services.ports.random.id)
    const cookie = runCookie(services, run)
    const scopes = fittingScopes(flow, run.scopes, await kindsOfScopes(services.ports.scopes))
    if (flow !== 'client_credentials') {
      const query = encodeForm(authorizationRequest(services.ports, flow, { ...run, scopes }))
      return seeOther(`/connect/authorize?${query}`, [cookie])
    }
    const tokens = await requestTokens(caller, { grant_type: flow, scope: scopes.join(' ') })
    if ('error' in tokens) return seeOther(playgroundPath(run, tokens.error), [cookie])
    return seeOther('/playground/result', [cookie, ...tokenCookies(tokens)])
  },
  readPermissionForm,
)

function authorizationRequest({ hashing, settings }: Services['ports'], flow: BrowserFlow, run: Run) {
  const { type, hasCode, isPosted } = responseOf(flow)
  const optional = [
    ...(isPosted ? [['response_mode', 'form_post'] as const] : []),
    ...(run.prompt === '' ? [] : [['prompt', run.prompt] as const]),
    ...(run.scopes.includes(openidScope) ? [['nonce', run.nonce] as const] : []),
  ]
  const proof = [
    // RFC 7636 4.2: `S256` is the digest
    ['code_challenge', hashing.digest(run.verifier)],
    ['code_challenge_method', 'S256'],
  ] as const
  return [
    ['client_id', run.client],
    ['redirect_uri', redirectUriOf(settings.issuer)],
    ['response_type', type],
    ['scope', run.scopes.join(' ')],
    ['state', run.state],
    ...optional,
    ...(hasCode ? proof : []),
  ] as const
}
