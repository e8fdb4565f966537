/** The requests of the benchmark: those that a server answers most. */
import { clientSecret } from '../fixtures/configuration.ts'
import { authorize, codeRequest, machineToken, newProof, obtainTokens } from '../fixtures/flow.ts'
import { type HttpBrowser, newBrowser } from '../fixtures/http-browser.ts'
import { basic, bearer, withQuery } from '../fixtures/http-client.ts'
import type { LoadRequest } from './load-generator.ts'

/** The redirect URI of the test configuration's clients; nothing listens there. */
export const appOrigin = 'https://app.example.org'

export type Load = {
  readonly name: string
  /** Made once for each server, before it is measured. */
  readonly requests: (origin: string) => Promise<readonly LoadRequest[]>
}

const differentTokens = 100

export const loads: readonly Load[] = [
  { name: 'client_credentials, JWT', requests: async () => [machineRequest('machine')] },
  { name: 'client_credentials, reference', requests: async () => [machineRequest('machine-reference')] },
  { name: 'accesstokenvalidation, JWT', requests: validationRequests },
  { name: 'userinfo', requests: userinfoRequests },
  { name: 'authorize, signed in', requests: authorizeRequests },
  { name: 'sign-in page', requests: signInPageRequests },
]

function machineRequest(clientId: string): LoadRequest {
  return post(
    '/connect/token',
    { grant_type: 'client_credentials', scope: 'api' },
    basic(clientId, clientSecret),
  )
}

async function validationRequests(origin: string): Promise<readonly LoadRequest[]> {
  const requests: LoadRequest[] = []
  // One after another: the first use of a client secret costs a password hash, and those are limited
  while (requests.length < differentTokens) {
    requests.push(post('/connect/accesstokenvalidation', { token: await machineToken(origin) }))
  }
  return requests
}

async function userinfoRequests(origin: string): Promise<readonly LoadRequest[]> {
  const { access_token: token } = await obtainTokens(origin, appOrigin)
  return [{ method: 'GET', target: '/connect/userinfo', headers: bearer(token) }]
}

async function authorizeRequests(origin: string): Promise<readonly LoadRequest[]> {
  const user = newBrowser(origin)
  const request = codeRequest(appOrigin, newProof())
  const { location } = await authorize(user, request)
  if (location?.origin !== appOrigin) throw new Error('the authorization request was not answered at the app')
  return [navigation(user, withQuery('/connect/authorize', request))]
}

async function signInPageRequests(origin: string): Promise<readonly LoadRequest[]> {
  const user = newBrowser(origin)
  const { target } = await user.follow(withQuery('/connect/authorize', codeRequest(appOrigin, newProof())))
  if (!target.startsWith('/login')) throw new Error(`no sign-in page but ${target}`)
  return [navigation(user, target)]
}

function post(target: string, form: Readonly<Record<string, string>>, headers = {}): LoadRequest {
  return {
    method: 'POST',
    target,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  }
}

function navigation({ cookies }: HttpBrowser, target: string): LoadRequest {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  return { method: 'GET', target, headers: { ...headers, 'sec-fetch-site': 'none' } }
}
