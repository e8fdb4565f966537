/** The loads of machine clients, and of APIs that check their tokens. */

import { basic } from '../fixtures/requests/http-client.ts'
import { clientSecret, introspectionScope } from '../fixtures/server/configuration.ts'
import { expectMembers, expectTokens, type TokenResponse } from './expected.ts'
import type { Step } from './load-generator.ts'
import type { Site } from './site.ts'
import { complete, post, repeated } from './steps.ts'

/** The number of JWTs to validate, which is more than a server caches. */
const differentTokens = 12_000
const differentReferenceTokens = 100

const machineTokens = {
  machine: { format: 'jwt', algorithm: 'ES256' },
  'machine-rs256': { format: 'jwt', algorithm: 'RS256' },
  'machine-reference': { format: 'opaque' },
} as const

type Machine = keyof typeof machineTokens

export function machineRequest(clientId: Machine, take: (tokens: TokenResponse) => void = () => {}): Step {
  const form = { grant_type: 'client_credentials', scope: 'api' }
  return post('/connect/token', form, basic(clientId, clientSecret), response => {
    take(expectTokens(response, machineTokens[clientId], { isFromUser: false }))
  })
}

async function machineAccessTokens({ origin }: Site, clientId: Machine, count: number) {
  const tokens: string[] = []
  const request = machineRequest(clientId, issued => tokens.push(issued.access_token))
  await complete(origin, repeated([request], count))
  return tokens
}

export async function validationSteps(site: Site): Promise<readonly Step[]> {
  const tokens = await machineAccessTokens(site, 'machine', differentTokens)
  return tokens.map(token =>
    post('/connect/accesstokenvalidation', { token }, {}, response =>
      expectMembers(response, { client_id: 'machine', scope: 'api' }),
    ),
  )
}

export async function introspectionSteps(site: Site): Promise<readonly Step[]> {
  const tokens = await machineAccessTokens(site, 'machine-reference', differentReferenceTokens)
  const { name, secret } = introspectionScope
  return tokens.map(token =>
    post('/connect/introspect', { token }, basic(name, secret), response =>
      expectMembers(response, { active: true, client_id: 'machine-reference', scope: 'api' }),
    ),
  )
}
