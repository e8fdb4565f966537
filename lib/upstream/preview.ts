/** The metadata of a provider, and the problems in it, for the admin who is about to register the provider. */

import type { AuthorizationServer } from 'oauth4webapi'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, providerFailureSentence } from '#lib/errors/provider-failures.ts'
import type { ProviderPreview } from '#lib/ports/upstream.ts'
import { isIssuer } from '#lib/protocol/registration/records.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import { asProviderFailure, type Network, requestOptions } from './provider-requests.ts'

const mostEntries = 200
const longestText = 2000

export async function previewProvider(issuer: string, network: Network): Promise<ProviderPreview> {
  if (!isIssuer(issuer)) return { kind: 'failed', sentence: notAnIssuer, namedIssuer: null }
  try {
    return await asProviderFailure(() => ask(issuer, network))
  } catch (error) {
    if (!isOauthError(error)) throw error
    return { kind: 'failed', sentence: providerFailureSentence(failureOf(error)), namedIssuer: null }
  }
}

const notAnIssuer =
  'An issuer is an https address without query and fragment (http for loopback addresses only).'

async function ask(issuer: string, network: Network): Promise<ProviderPreview> {
  const address = new URL(issuer)
  const options = requestOptions([issuer], network)
  const response = await oauth.discoveryRequest(address, options)
  const named = await namedIssuer(response)
  if (named !== null && named !== issuer)
    return {
      kind: 'failed',
      sentence: providerFailureSentence({ reason: 'issuer_differs', answer: null }),
      namedIssuer: named,
    }
  const server = await oauth.processDiscoveryResponse(address, response)
  return {
    kind: 'found',
    issuer,
    endpoints: {
      authorization: text(server.authorization_endpoint),
      token: text(server.token_endpoint),
      userinfo: text(server.userinfo_endpoint),
      jwks: text(server.jwks_uri),
    },
    scopes: list(server.scopes_supported),
    claims: list(server.claims_supported),
    signingAlgorithms: list(server.id_token_signing_alg_values_supported),
    clientAuthentication: list(server.token_endpoint_auth_methods_supported),
    problems: previewProblems(server, issuer, network),
  }
}

/** Reads the issuer from a copy of the response; `null` if it names no valid one. */
async function namedIssuer(response: Response): Promise<string | null> {
  if (response.status !== 200) return null
  // The body was already read completely, so an error here is an error of its syntax
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const named = z.object({ issuer: z.string().max(longestText) }).safeParse(body)
  return named.success && isIssuer(named.data.issuer) ? named.data.issuer : null
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.length <= longestText ? value : null
}

function list(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null
  return value
    .filter(entry => typeof entry === 'string')
    .filter(entry => entry.length <= 100)
    .slice(0, mostEntries)
}

type Problem = Extract<ProviderPreview, { kind: 'found' }>['problems'][number]

/** The signature algorithms that this server verifies; `none` and those with a shared secret are not among them. */
const verified = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/
const spoken = ['client_secret_basic', 'client_secret_post', 'none']

function previewProblems(
  server: AuthorizationServer,
  issuer: string,
  { allowLoopback }: Network,
): readonly Problem[] {
  return [
    ...endpointProblems(server, { ports: ['', new URL(issuer).port], allowLoopback }),
    fatal(lacks(server.response_types_supported, 'code'), 'It does not offer the authorization code flow.'),
    fatal(
      server.id_token_signing_alg_values_supported?.some(name => verified.test(name)) === false,
      'Its ID token signatures are not supported: a public-key signature is required.',
    ),
    fatal(
      server.token_endpoint_auth_methods_supported?.some(name => spoken.includes(name)) === false,
      'It accepts client secrets neither by Basic nor in the body.',
    ),
    note(
      lacks(server.code_challenge_methods_supported, 'S256'),
      'It does not announce PKCE with S256. It is sent all the same, and most ignore what they do not know.',
    ),
    ...['openid', 'profile', 'email'].map(scope =>
      note(
        lacks(server.scopes_supported, scope),
        `It does not announce the scope "${scope}", which every sign-in asks for.`,
      ),
    ),
    note(
      server.userinfo_endpoint === undefined,
      'It has no userinfo endpoint: claims come only from its ID token.',
    ),
  ].filter(problem => problem !== null)
}

type Reach = { readonly ports: readonly string[]; readonly allowLoopback: boolean }

function endpointProblems(server: AuthorizationServer, reach: Reach): ReadonlyArray<Problem | null> {
  const called = [
    ['authorization endpoint', server.authorization_endpoint],
    ['token endpoint', server.token_endpoint],
    ['key set', server.jwks_uri],
  ] as const
  return called.map(([name, address]) => {
    if (address === undefined) return fatal(true, `It names no ${name}.`)
    return fatal(!isCallable(address, reach), `Its ${name} is at an address that is never called from here.`)
  })
}

function isCallable(address: string, { ports, allowLoopback }: Reach): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  if (url.protocol === 'http:') return allowLoopback && isLoopbackHost(url.hostname)
  return url.protocol === 'https:' && (allowLoopback || ports.includes(url.port))
}

/** Whether a list exists and lacks the entry: a missing list means nothing. */
function lacks(list: readonly unknown[] | undefined, entry: string): boolean {
  return Array.isArray(list) && !list.includes(entry)
}

function fatal(isSo: boolean, sentence: string): Problem | null {
  return isSo ? { sentence, isFatal: true } : null
}

function note(isSo: boolean, sentence: string): Problem | null {
  return isSo ? { sentence, isFatal: false } : null
}
