/** Starts a run: stores it, and redirects the user to the authorization endpoint. */
import { hostedRoute } from '#app/_ui/hosted-route.ts'
import { encodeForm, readFormPairs, readParameters } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { openidScope } from '#lib/protocol/wire/scopes.ts'
import type { Services } from '#lib/server/services.ts'
import {
  type BrowserFlow,
  flowsOf,
  redirectUriOf,
  requireClient,
  requirePlayground,
  responseOf,
} from '../clients.ts'
import { type Caller, callTokenEndpoint } from '../own-endpoints.ts'
import {
  errorIn,
  newRun,
  playgroundPath,
  type Run,
  readRun,
  runCookie,
  tokenCookies,
  tokensSchema,
} from '../run.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedRoute('/playground/start', {
  POST: async ({ request, services }) => {
    requirePlayground(services)
    const { issuer } = services.config
    requireSameOrigin(request, issuer)
    const form = readParameters(await readFormPairs(request), { repeatable: ['scope'] })
    const { client, secret: known } = await requireClient(services, form.one('client') ?? '')
    const flow = flowsOf(client).find(name => name === form.one('flow'))
    if (flow === undefined) return seeOther('/playground')
    const secret = known === null ? form.one('client_secret') : null
    const choices = {
      client: client.clientId,
      flow,
      scopes: form.all('scope'),
      prompt: form.one('prompt') ?? '',
    }
    const run = newRun(
      { ...choices, secret: secret ?? secretOf(readRun(services, request), choices.client) },
      services.ports.random.id,
    )
    if (flow === 'client_credentials') {
      return requestOwnTokens(services, { issuer, client, secret: known ?? run.secret }, run)
    }
    const address = `/connect/authorize?${encodeForm(await authorizationRequest(flow, run, issuer))}`
    return seeOther(address, [runCookie(services, run)])
  },
})

/** The secret that was entered for the last run of the same client. */
function secretOf(earlier: Run | null, clientId: string): string | null {
  return earlier?.client === clientId ? earlier.secret : null
}

async function requestOwnTokens(services: Services, caller: Caller, run: Run): Promise<Reply> {
  const form = { grant_type: run.flow, scope: run.scopes.join(' ') }
  const { status, body } = await callTokenEndpoint(caller, form)
  const tokens = tokensSchema.safeParse(body)
  if (status !== 200 || !tokens.success)
    return seeOther(playgroundPath(run, errorIn(body)), [runCookie(services, run)])
  return seeOther('/playground/result', [runCookie(services, run), ...tokenCookies(tokens.data)])
}

async function authorizationRequest(flow: BrowserFlow, run: Run, issuer: string) {
  const { type, isPosted } = responseOf(flow)
  const optional = [
    ...(isPosted ? [['response_mode', 'form_post'] as const] : []),
    ...(run.prompt === '' ? [] : [['prompt', run.prompt] as const]),
    ...(run.scopes.includes(openidScope) ? [['nonce', run.nonce] as const] : []),
  ]
  const proof = [
    ['code_challenge', await challengeOf(run)],
    ['code_challenge_method', 'S256'],
  ] as const
  return [
    ['client_id', run.client],
    ['redirect_uri', redirectUriOf(issuer)],
    ['response_type', type],
    ['scope', run.scopes.join(' ')],
    ['state', run.state],
    ...optional,
    ...(type === 'code' ? proof : []),
  ] as const
}

/** RFC 7636 4.2: `S256`. */
async function challengeOf({ verifier }: Run): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}
