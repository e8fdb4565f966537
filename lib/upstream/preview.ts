/** What a provider says about itself, for the admin who is about to register it. */
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { failureOf, providerFailureSentence } from '#lib/errors/provider-failures.ts'
import type { ProviderPreview } from '#lib/ports/upstream.ts'
import { isIssuer } from '#lib/protocol/registration/records.ts'
import { previewProblems } from './preview-problems.ts'
import { asProviderFailure } from './provider-failure.ts'
import { type Network, requestOptions } from './request-options.ts'

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
  const options = requestOptions({ issuer }, network)
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

/** Reads a copy: the library compares the issuer as well, but does not report the found one. */
async function namedIssuer(response: Response): Promise<string | null> {
  if (response.status !== 200) return null
  const said = z.object({ issuer: z.string().max(longestText) }).safeParse(await jsonOf(response.clone()))
  return said.success && isIssuer(said.data.issuer) ? said.data.issuer : null
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
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
