/** The loads: one for each kind of request that is sent often. */
import type { Limit } from './limit.ts'
import type { Operations, Step, Supply } from './load-generator.ts'
import { introspectionSteps, machineRequest, validationSteps } from './machines.ts'
import { discoverySteps, keySetSteps, prepareSignIn, signInPageSteps } from './pages.ts'
import { codeClients, referenceClients, type Site } from './site.ts'
import { inTurn } from './steps.ts'
import { journeySteps, prepareAuthorize, prepareExchange, prepareRefresh, userinfoSteps } from './users.ts'

export type Load = {
  readonly name: string
  /** Whether other products have this endpoint and do the same work there. */
  readonly isCommon: boolean
  /** The signature or verification that is most of the work; left out if there is none. */
  readonly limit?: Limit
  readonly prepare: (site: Site) => Promise<Supply>
}

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
  { name: 'discovery', ...common, prepare: endless(discoverySteps) },
  { name: 'JWKS', ...common, prepare: endless(keySetSteps) },
  { name: 'sign-in, a new browser', ...ownOnly, prepare: prepareSignIn },
  { name: 'sign-in page', ...ownOnly, prepare: endless(signInPageSteps) },
]

/** Repeats requests in turn, without an end. */
function endless(steps: (site: Site) => Promise<readonly Step[]>): Load['prepare'] {
  return async site => {
    const next = inTurn(await steps(site))
    return async () => next
  }
}

/** The loads whose requests another load of the mixture contains: the journey, or a sign-in in a new browser. */
const partsOfOthers = [
  'authorize with a live session',
  'code exchange',
  'refresh with rotation',
  'userinfo, JWT',
  'sign-in page',
]

/**
 * Prepares a mixture of the journey and the other loads, without an end; for another product, the others are the common ones
 * only.
 */
export async function prepareMixture(site: Site, isPeer: boolean): Promise<Operations> {
  const others = loads.filter(load => !partsOfOthers.includes(load.name) && (load.isCommon || !isPeer))
  const kinds: Operations[] = []
  for (const prepare of [endless(journeySteps), ...others.map(load => load.prepare)]) {
    const supply = await prepare(site)
    kinds.push(await supply(0))
  }
  let sent = 0
  return () => kinds[sent++ % kinds.length]?.() ?? null
}
