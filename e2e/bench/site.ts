/** The clients and users of the benchmark, and the browsers in which the users are signed in. */

import { authorize, codeRequest, newProof, type Proof } from '../fixtures/requests/code-flow.ts'
import { newBrowser } from '../fixtures/requests/http-browser.ts'
import { testConfiguration } from '../fixtures/server/configuration.ts'

/** The origin of the clients' redirect URIs. Nothing listens there. */
export const appOrigin = 'https://app.example.org'

/** Clients whose access tokens are JWTs, signed with ES256. */
export const codeClients = ['web-0', 'web-1', 'web-2', 'web-3']
/** Clients whose access tokens are reference tokens. */
export const referenceClients = ['web-reference-0', 'web-reference-1']

/** A server with signed-in users. */
export type Site = { readonly origin: string; readonly sessions: readonly Session[] }

/** The browser of a signed-in user. */
export type Session = { readonly user: User; readonly cookie: string; readonly proof: Proof }

export type User = (typeof users)[number]

/** Enough users that each has only a few codes at the same time. */
const users = Array.from({ length: 64 }, (_, number) => ({
  username: `user-${number}`,
  password: `bench password of user ${number}`,
  sub: `user-${number}`,
  claims: { name: `User ${number}`, given_name: 'User', family_name: String(number) },
}))

/** The test configuration, with the clients and users of the benchmark. */
export function benchConfiguration() {
  const { clients, ...rest } = testConfiguration({ app: appOrigin })
  const [machine] = clients.filter(client => client.client_id === 'machine')
  const [web] = clients.filter(client => client.client_id === 'trusted')
  return {
    ...rest,
    users,
    clients: [
      ...clients,
      { ...machine, client_id: 'machine-rs256', access_token_signed_response_alg: 'RS256' },
      ...codeClients.map(id => ({ ...web, client_id: id })),
      ...referenceClients.map(id => ({ ...web, client_id: id, access_token_type: 'reference' })),
    ],
  }
}

/** Signs all users in, each in a new browser. */
export async function signInUsers(origin: string): Promise<readonly Session[]> {
  const sessions: Session[] = []
  for (const user of users) {
    const proof = newProof()
    const browser = newBrowser(origin)
    const [clientId = ''] = codeClients
    const parameters = codeRequest(appOrigin, proof, { client_id: clientId, login_hint: user.username })
    const { location } = await authorize(browser, parameters, user)
    if (location?.origin !== appOrigin)
      throw new Error('The authorization request was not answered at the app.')
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    sessions.push({ user, cookie, proof })
  }
  return sessions
}
