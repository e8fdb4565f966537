/** The loads of signed-in users: codes and tokens. */

import { codeRequest } from '../fixtures/requests/code-flow.ts'
import { basic, bearer, withQuery } from '../fixtures/requests/http-client.ts'
import { clientSecret } from '../fixtures/server/configuration.ts'
import { expectCode, expectMembers, expectTokens, type TokenResponse } from './expected.ts'
import type { Step, Supply } from './load-generator.ts'
import { appOrigin, codeClients, referenceClients, type Session, type Site } from './site.ts'
import { complete, followedBy, get, inTurn, navigation, once, post, repeated } from './steps.ts'

/** The number of codes of a user and client at the same time, which is below the limit of Latchkey. */
const codesOfUserAndClient = 18
const state = 'state-of-the-test'

/** A code that was issued but not exchanged yet. */
type Issued = { readonly session: Session; readonly clientId: string; readonly code: string }

/** Authorization requests of each user for each client in turn. Each code is given to `take` when it is issued. */
function authorizeSteps(
  { sessions }: Site,
  clientIds: readonly string[],
  take: (issued: Issued) => void,
): readonly Step[] {
  return clientIds.flatMap(clientId =>
    sessions.map(session => authorizeRequest(session, clientId, code => take({ session, clientId, code }))),
  )
}

function authorizeRequest({ cookie, proof }: Session, clientId: string, take: (code: string) => void): Step {
  const parameters = codeRequest(appOrigin, proof, { client_id: clientId, state })
  return get(withQuery('/connect/authorize', parameters), navigation(cookie), response => {
    take(expectCode(response, `${appOrigin}/callback`, state))
  })
}

function exchangeRequest(
  { session, clientId, code }: Issued,
  take: (tokens: TokenResponse) => void = () => {},
): Step {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: `${appOrigin}/callback`,
    code_verifier: session.proof.verifier,
  }
  return post('/connect/token', form, basic(clientId, clientSecret), response => {
    take(expectTokens(response, userToken(clientId), { isFromUser: true }))
  })
}

function userToken(clientId: string) {
  return referenceClients.includes(clientId)
    ? ({ format: 'opaque' } as const)
    : ({ format: 'jwt', algorithm: 'ES256' } as const)
}

/**
 * Prepares authorization requests. The codes of one round are exchanged before the next round, because only a few can exist at
 * the same time.
 */
export async function prepareAuthorize(site: Site): Promise<Supply> {
  const issued: Issued[] = []
  const steps = authorizeSteps(site, codeClients, each => issued.push(each))
  const next = inTurn(steps)
  return async () => {
    await complete(
      site.origin,
      issued.splice(0).map(each => exchangeRequest(each)),
    )
    let left = steps.length * codesOfUserAndClient
    return () => (left-- > 0 ? next() : null)
  }
}

export async function prepareExchange(site: Site): Promise<Supply> {
  return async count => once((await issueCodes(site, codeClients, count)).map(each => exchangeRequest(each)))
}

/** Issues codes, at most as many as can exist at the same time. */
async function issueCodes(
  site: Site,
  clientIds: readonly string[],
  count: number,
): Promise<readonly Issued[]> {
  const issued: Issued[] = []
  const steps = authorizeSteps(site, clientIds, each => issued.push(each))
  await complete(site.origin, repeated(steps, Math.min(count, steps.length * codesOfUserAndClient)))
  return issued
}

/** Obtains tokens for each user and client. */
async function obtainTokens(site: Site, clientIds: readonly string[]): Promise<readonly Obtained[]> {
  const obtained: Obtained[] = []
  const issued = await issueCodes(site, clientIds, clientIds.length * site.sessions.length)
  await complete(
    site.origin,
    issued.map(each => exchangeRequest(each, tokens => obtained.push({ ...each, ...tokens }))),
  )
  return obtained
}

type Obtained = Issued & TokenResponse

/** Prepares refreshes. Each refresh token is used once, and its successor is added at the end of the queue. */
export async function prepareRefresh(site: Site): Promise<Supply> {
  const waiting = [...(await obtainTokens(site, codeClients))]
  return async () => () => {
    const obtained = waiting.shift()
    return obtained === undefined ? null : refreshRequest(obtained, successor => waiting.push(successor))
  }
}

function refreshRequest(obtained: Obtained, take: (successor: Obtained) => void): Step {
  const { clientId, refresh_token: token = '' } = obtained
  const form = { grant_type: 'refresh_token', refresh_token: token }
  return post('/connect/token', form, basic(clientId, clientSecret), response => {
    const tokens = expectTokens(response, userToken(clientId), { isFromUser: true })
    if (tokens.refresh_token === token) throw new Error('The refresh token was not replaced.')
    take({ ...obtained, ...tokens })
  })
}

export function userinfoSteps(clientIds: readonly string[]) {
  return async (site: Site): Promise<readonly Step[]> =>
    (await obtainTokens(site, clientIds)).map(userinfoRequest)
}

function userinfoRequest({ session, access_token: token }: Obtained): Step {
  const { sub, claims } = session.user
  return get('/connect/userinfo', bearer(token), response =>
    expectMembers(response, { sub, name: claims.name }),
  )
}

/** The requests of a whole journey: obtain a code, exchange it, refresh the tokens, and read the claims of the user. */
export async function journeySteps({ sessions }: Site): Promise<readonly Step[]> {
  return codeClients.flatMap(clientId => sessions.map(session => journey(session, clientId)))
}

function journey(session: Session, clientId: string): Step {
  const known = { session, clientId, code: '', access_token: '' }
  let obtained: Obtained = known
  const authorize = authorizeRequest(session, clientId, code => {
    obtained = { ...known, code }
  })
  const take = (tokens: TokenResponse) => {
    obtained = { ...obtained, ...tokens }
  }
  return followedBy(authorize, () =>
    followedBy(exchangeRequest(obtained, take), () =>
      followedBy(refreshRequest(obtained, take), () => userinfoRequest(obtained)),
    ),
  )
}
