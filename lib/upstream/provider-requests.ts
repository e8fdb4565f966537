/**
 * The requests of `oauth4webapi`, which are sent through `safeFetch`, over plain HTTP only to this machine; and the
 * conversion of their errors to `provider_failed`.
 */
import * as oauth from 'oauth4webapi'
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'
import { z } from 'zod'
import { sent } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { isReasonFor } from '#lib/errors/reasons.ts'
import { type SafeFetchOptions, safeFetch } from './safe-fetch.ts'

/** A request to a provider, for metrics. `status`: `null` without a usable response. */
export type ProviderRequest = {
  /** The name of the provider; `null` before it is stored. */
  readonly provider: string | null
  readonly method: string
  readonly status: number | null
  readonly milliseconds: number
}

export type Network = Pick<SafeFetchOptions, 'allowLoopback' | 'resolve' | 'timeoutMs'> & {
  /** Called after each request; absent if metrics are off. */
  readonly measure?: ((request: ProviderRequest) => void) | undefined
  /** Returns the headers that continue the trace of the current request; absent if there are no traces. */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined
}

export type RequestOptions = {
  readonly [oauth.customFetch]: (
    url: string,
    options: oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>,
  ) => Promise<Response>
  readonly [oauth.allowInsecureRequests]: boolean
}

/** Returns the options for requests to one provider. Its configured addresses decide which ports are allowed. */
export function requestOptions(
  configured: readonly string[],
  { measure, traceHeaders, ...network }: Network,
  provider: string | null = null,
): RequestOptions {
  const ports = configured.map(address => new URL(address).port)
  const fetchSafely: RequestOptions[typeof oauth.customFetch] = (url, { method, headers, body }) =>
    safeFetch(
      url,
      { method, headers: { ...headers, ...traceHeaders?.() }, body: body?.toString() ?? null },
      { ...network, ports },
    )
  return {
    [oauth.customFetch]:
      measure === undefined
        ? fetchSafely
        : measuring(fetchSafely, request => measure({ ...request, provider })),
    // `safeFetch` refuses plain HTTP itself; this option only keeps the library from refusing loopback
    [oauth.allowInsecureRequests]: network.allowLoopback,
  }
}

type Fetch = RequestOptions[typeof oauth.customFetch]

function measuring(fetchSafely: Fetch, measure: (request: Omit<ProviderRequest, 'provider'>) => void): Fetch {
  return async (url, options) => {
    const began = performance.now()
    let status: number | null = null
    try {
      const response = await fetchSafely(url, options)
      status = response.status
      return response
    } finally {
      measure({ method: options.method, status, milliseconds: performance.now() - began })
    }
  }
}

/** Runs `conversation` and converts errors to `provider_failed`. An `OauthError` is rethrown unchanged. */
export async function asProviderFailure<T>(conversation: () => Promise<T>): Promise<T> {
  try {
    return await conversation()
  } catch (error) {
    throw isOauthError(error) ? error : refusalOf(error)
  }
}

/**
 * Returns a refusal with a fixed reason. The evidence is at most a well-formed error code of the provider, the code or
 * name of an error of this process, or the two issuers that differ.
 */
function refusalOf(error: unknown): OauthError {
  if (error instanceof AuthorizationResponseError)
    return new OauthError('provider_answered', { evidence: { sent: errorCode(error.error) } })
  if (error instanceof ResponseBodyError)
    return new OauthError('token_endpoint_answered', { evidence: { sent: errorCode(error.error) } })
  const other = otherIssuer(error)
  if (other !== null) return issuerMismatch(...other)
  const code = nameOf(error)
  const reason = shared[code] ?? code
  return isReasonFor('provider_failed', reason)
    ? new OauthError(reason)
    : new OauthError('provider_failed', { evidence: { sent: code } })
}

type IssuerMismatch = readonly [
  reason: 'issuer_differs' | 'id_token_issuer_differs' | 'response_issuer_differs',
  named: string | undefined,
  registered: string,
]

/** Makes the refusal of an issuer that differs from the registered one, with both as evidence. */
export function issuerMismatch(...[reason, named, registered]: IssuerMismatch): OauthError {
  return new OauthError(reason, { evidence: sent(named, [registered]) })
}

/** The compared values in the cause of a library error, whose code does not show that the issuer differs. */
const comparisonSchema = z.object({
  expected: z.string(),
  attribute: z.string().optional(),
  body: z.object({ issuer: z.string().optional() }).optional(),
  claim: z.string().optional(),
  claims: z.object({ iss: z.string().optional() }).optional(),
  parameters: z.instanceof(URLSearchParams).optional(),
})

function otherIssuer(error: unknown): IssuerMismatch | null {
  const compared = comparisonSchema.safeParse(error instanceof Error ? error.cause : undefined)
  if (!compared.success) return null
  const { expected, attribute, body, claim, claims, parameters } = compared.data
  if (attribute === 'issuer') return ['issuer_differs', body?.issuer, expected]
  if (claim === 'iss') return ['id_token_issuer_differs', claims?.iss, expected]
  const named = parameters?.get('iss') ?? undefined
  return named === undefined || named === expected ? null : ['response_issuer_differs', named, expected]
}

/** The reasons for those error codes of `safeFetch` that have a different meaning elsewhere. */
const shared: Readonly<Record<string, string>> = {
  address_not_allowed: 'provider_address_not_allowed',
  body_too_large: 'provider_body_too_large',
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Returns an error code of a provider for logs, if it is well-formed. */
export function errorCode(sent: string): string {
  return /^[a-z_]{1,64}$/.test(sent) ? sent : 'malformed'
}
