/** Looks at what a test was given, as an app would, and ends all of it. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openidScope } from '#lib/protocol/requested-scopes.ts'
import { scopesOfClaims } from '#lib/protocol/token-scope.ts'
import type { AdminPorts } from '../../admin-ports.ts'
import type { Received, TestStep } from './client-test-result.ts'
import { type Findings, step } from './client-test-result.ts'
import type { Trial } from './client-trials.ts'

export type Given = Trial & {
  /** Of the token endpoint, or of the front channel. */
  readonly answer: Readonly<Record<string, JsonValue>>
  /** What the identity token must repeat; `null`: nobody asked for one. */
  readonly nonce: string | null
  readonly context: RequestContext
}

type Look = { readonly step: TestStep; readonly claims: Claims | null }

/** After this nothing of the answer is valid any more, whatever was found. */
export async function readTokens(ports: AdminPorts, given: Given): Promise<Findings> {
  const { id_token: identity, access_token: access, refresh_token: refresh } = given.answer
  const looks: Readonly<Record<Received['from'], Look>> = {
    identity_token: await identityToken(ports, given, textOf(identity)),
    access_token: await accessToken(ports, textOf(access)),
    userinfo: await userinfo(ports, given, textOf(access)),
  }
  for (const token of [refresh, access]) {
    const value = textOf(token)
    if (value !== null) await ports.clientTrials.revoke({ ...given, token: value }, given.context)
  }
  const froms = ['identity_token', 'access_token', 'userinfo'] as const
  return {
    steps: [...froms.map(from => looks[from].step), step('ended', 'passed')],
    received: froms.flatMap(from => {
      const { claims } = looks[from]
      return claims === null ? [] : [{ from, claims: { ...claims } }]
    }),
    has_refresh_token: textOf(refresh) !== null,
  }
}

// OpenID Connect Core 3.1.3.7: signature, issuer and times are the signer's to check
async function identityToken(
  ports: AdminPorts,
  { client, nonce }: Given,
  token: string | null,
): Promise<Look> {
  if (token === null) return { step: step('identity_token', 'skipped', { says: noIdentity }), claims: null }
  const claims = (await ports.signer.verify(token, 'JWT'))?.claims ?? null
  const isOurs = claims !== null && claims.aud === client.clientId && claims.nonce === nonce
  if (isOurs) return { step: step('identity_token', 'passed'), claims }
  const says = 'Its signature, audience or nonce is not what the request asked for.'
  return { step: step('identity_token', 'failed', { says }), claims }
}

async function accessToken(ports: AdminPorts, token: string | null): Promise<Look> {
  if (token === null) return { step: step('access_token', 'skipped', { says: noAccess }), claims: null }
  const claims = await accessClaims(ports, token)
  if (claims === null) {
    const says = 'This server does not know its own token again: look at the extensions that change tokens.'
    return { step: step('access_token', 'failed', { says }), claims }
  }
  return { step: step('access_token', 'passed'), claims }
}

async function accessClaims(ports: AdminPorts, token: string): Promise<Claims | null> {
  const handle = parseHandle('accessToken', token)
  if (handle === null) return (await ports.signer.verify(token, 'at+jwt'))?.claims ?? null
  return (await ports.referenceTokens.find(ports.hashing.tokenDigest(handle)))?.claims ?? null
}

async function userinfo(ports: AdminPorts, given: Given, token: string | null): Promise<Look> {
  const known = token === null ? null : await accessClaims(ports, token)
  const opens = known !== null && given.nonce !== null && scopesOfClaims(known).includes(openidScope)
  if (token === null || !opens)
    return { step: step('userinfo', 'skipped', { says: noUserinfo }), claims: null }
  const claims = await ports.clientTrials.userinfo({ ...given, accessToken: token }, given.context)
  if (claims !== null) return { step: step('userinfo', 'passed'), claims }
  return { step: step('userinfo', 'failed', { reference: given.context.referenceId }), claims }
}

const noIdentity = 'There is none: no person, or the scope openid is missing.'
const noAccess = 'There is none: this kind of answer tells who somebody is, and opens nothing.'
const noUserinfo = 'Nobody to tell of: it takes an access token with the scope openid.'

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
