/** What the servers are asked: one load for each kind of request that is sent often. */
import { clientSecret, introspectionScope } from '../fixtures/configuration.ts'
import { codeRequest, newProof } from '../fixtures/flow.ts'
import { basic, bearer, withQuery } from '../fixtures/http-client.ts'
import {
  expectCode,
  expectKeySet,
  expectMembers,
  expectRedirect,
  expectSignInPage,
  expectTokens,
  type TokenResponse,
} from './expected.ts'
import type { Operations, Step } from './load-generator.ts'
import { appOrigin, codeClients, referenceClients, type Session, type Site } from './site.ts'
import { complete, cookiesSetBy, get, inTurn, navigation, once, post, repeated } from './steps.ts'

/** The bare cost of the signature or its verification, with which a load is compared that does little else. */
export type Limit = 'sign RS256' | 'verify ES256'

export type Load = {
  readonly name: string
  /** Whether other products have the same endpoint and do the same work there. */
  readonly isCommon: boolean
  readonly limit?: Limit
  readonly prepare: (site: Site) => Promise<Supply>
}

/** Makes the operations of one round; of those that need a new code each, about this number. */
export type Supply = (count: number) => Promise<Operations>

/** More than a server keeps in a cache. */
const differentTokens = 12_000
const differentReferenceTokens = 100
/** Below the number that Latchkey lets exist at the same time. */
const codesOfUserAndClient = 18
const openPages = 16
const state = 'state-of-the-test'

const common = { isCommon: true } as const
const ownOnly = { isCommon: false } as const

export const loads: readonly Load[] = [
  {
    name: 'client credentials, JWT RS256',
    ...common,
    limit: 'sign RS256',
    prepare: endless(async () => [machineRequest('machine-rs256')]),
  },
  {
    name: 'client credentials, JWT ES256',
    ...common,
    prepare: endless(async () => [machineRequest('machine')]),
  },
  {
    name: 'client credentials, reference token',
    ...common,
    prepare: endless(async () => [machineRequest('machine-reference')]),
  },
  { name: 'authorize with a live session', ...common, prepare: prepareAuthorize },
  { name: 'code exchange', ...common, prepare: prepareExchange },
  { name: 'refresh with rotation', ...common, prepare: prepareRefresh },
  { name: 'introspection of a reference token', ...common, prepare: endless(introspectionSteps) },
  { name: 'userinfo, reference token', ...common, prepare: endless(userinfoSteps(referenceClients)) },
  { name: 'userinfo, JWT', ...ownOnly, prepare: endless(userinfoSteps(codeClients)) },
  {
    name: 'accesstokenvalidation of a JWT',
    ...ownOnly,
    limit: 'verify ES256',
    prepare: endless(validationSteps),
  },
  { name: 'discovery', ...common, prepare: endless(async ({ origin }) => [discoveryRequest(origin)]) },
  { name: 'JWKS', ...common, prepare: endless(async () => [get('/.well-known/jwks', {}, expectKeySet)]) },
  { name: 'sign-in, a new browser', ...ownOnly, prepare: prepareSignIn },
  { name: 'sign-in page', ...ownOnly, prepare: endless(signInPageSteps) },
]

/** The same requests in turn. */
function endless(steps: (site: Site) => Promise<readonly Step[]>): Load['prepare'] {
  return async site => {
    const next = inTurn(await steps(site))
    return async () => next
  }
}

// ---- Tokens for machines ----

const machineTokens = {
  machine: { format: 'jwt', algorithm: 'ES256' },
  'machine-rs256': { format: 'jwt', algorithm: 'RS256' },
  'machine-reference': { format: 'opaque' },
} as const

type Machine = keyof typeof machineTokens

function machineRequest(clientId: Machine, take: (tokens: TokenResponse) => void = () => {}): Step {
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

async function validationSteps(site: Site): Promise<readonly Step[]> {
  const tokens = await machineAccessTokens(site, 'machine', differentTokens)
  return tokens.map(token =>
    post('/connect/accesstokenvalidation', { token }, {}, response =>
      expectMembers(response, { client_id: 'machine', scope: 'api' }),
    ),
  )
}

async function introspectionSteps(site: Site): Promise<readonly Step[]> {
  const tokens = await machineAccessTokens(site, 'machine-reference', differentReferenceTokens)
  const { name, secret } = introspectionScope
  return tokens.map(token =>
    post('/connect/introspect', { token }, basic(name, secret), response =>
      expectMembers(response, { active: true, client_id: 'machine-reference', scope: 'api' }),
    ),
  )
}

// ---- Tokens for users ----

/** A code that was issued and not exchanged yet. */
type Issued = { readonly session: Session; readonly clientId: string; readonly code: string }

/** What `take` gets is issued by the requests as they are sent. Each user asks for each client in turn. */
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

/** The codes of one round are exchanged before the next round, because only few can exist at the same time. */
async function prepareAuthorize(site: Site): Promise<Supply> {
  const issued: Issued[] = []
  const next = inTurn(authorizeSteps(site, codeClients, each => issued.push(each)))
  return async () => {
    await complete(
      site.origin,
      issued.splice(0).map(each => exchangeRequest(each)),
    )
    return next
  }
}

async function prepareExchange(site: Site): Promise<Supply> {
  return async count => once((await issueCodes(site, codeClients, count)).map(each => exchangeRequest(each)))
}

/** At most as many as a server lets exist at the same time. */
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

/** For each user and client. */
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

/** Each refresh token is used once; its successor waits for its turn behind the others. */
async function prepareRefresh(site: Site): Promise<Supply> {
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

function userinfoSteps(clientIds: readonly string[]) {
  return async (site: Site): Promise<readonly Step[]> => {
    const obtained = await obtainTokens(site, clientIds)
    return obtained.map(({ session, access_token: token }) =>
      get('/connect/userinfo', bearer(token), response =>
        expectMembers(response, { sub: session.user.sub, name: session.user.claims.name }),
      ),
    )
  }
}

// ---- Documents and pages ----

function discoveryRequest(origin: string): Step {
  return get('/.well-known/openid-configuration', {}, response =>
    expectMembers(response, { issuer: origin, jwks_uri: `${origin}/.well-known/jwks` }),
  )
}

/** The authorization request of a new browser, and the page to which it leads. */
function signInStart(number: number): Step {
  const target = withQuery('/connect/authorize', codeRequest(appOrigin, newProof()))
  const headers = { ...navigation(''), 'x-forwarded-for': addressOf(number) }
  return {
    ...get(target, headers, () => {}),
    accept: response => {
      const page = expectRedirect(response, '/login')
      return get(page, navigation(cookiesSetBy(response)), expectSignInPage)
    },
  }
}

/** Of each browser a different one: a server limits how many requests of one address can wait for a sign-in. */
function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

async function prepareSignIn(): Promise<Supply> {
  let browsers = 0
  return async () => () => signInStart(browsers++)
}

async function signInPageSteps({ origin }: Site): Promise<readonly Step[]> {
  const pages: Step[] = []
  const starts = Array.from({ length: openPages }, (_, number) => signInStart(number))
  await complete(
    origin,
    starts.map(start => ({
      ...start,
      accept: response => {
        const page = start.accept(response)
        if (page !== null) pages.push(page)
        return page
      },
    })),
  )
  return pages
}
