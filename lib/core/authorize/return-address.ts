/** The proof that a response may leave: without this value nothing is redirected. The only place that makes one. */
import type { ErrorCode } from '#lib/errors/catalog.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ClientId } from '#lib/protocol/ids.ts'
import { matchesRedirectUri } from '#lib/protocol/redirect-uri.ts'
import { deliveryMode } from '#lib/protocol/response-mode.ts'
import { shownUri } from '#lib/protocol/shown-uri.ts'
import { parseUiLocales } from '#lib/protocol/ui-locales.ts'
import type { ResponseMode } from '#lib/protocol/vocabulary.ts'
import { findClient } from '../enabled-client.ts'
import type { ShownError } from './outcome.ts'
import { beginTrail, type Trail } from './trail.ts'

declare const proven: unique symbol

export type ReturnAddress = {
  readonly [proven]: true
  readonly clientId: ClientId
  readonly clientName: string
  readonly redirectUri: string
  readonly responseMode: ResponseMode
  readonly state: string | null
  /** The languages for what a person sees on the way. */
  readonly uiLocales: readonly string[]
}

export type Proof =
  | { readonly kind: 'proven'; readonly client: Client; readonly address: ReturnAddress }
  | { readonly kind: 'unproven'; readonly error: ShownError }

/**
 * Proves client and redirect URI before anything else is looked at, so that no error path can lead elsewhere
 * (OAuth 2.1 4.1.2.1, RFC 9700 4.1.3). What cannot be proven is shown on a page of ours.
 */
export async function proveReturnAddress(
  ports: Ports,
  parameters: AuthorizeParameters,
  trail: Trail = beginTrail(),
): Promise<Proof> {
  const { client_id: clientId, redirect_uri: uri } = parameters
  trail.passed('request_read')
  if (clientId === undefined) {
    const checks = trail.failedAt('client_known')
    return unproven('invalid_request', 'client_id is missing.', { checks })
  }
  const client = await findClient(ports, clientId)
  if (client === null) {
    const checks = trail.failedAt('client_known', { sent: clientId.slice(0, longestShown) })
    return unproven('unknown_client', noClient, { clientId, checks })
  }
  trail.passed('client_known')
  if (!client.enabled) {
    const checks = trail.failedAt('client_enabled')
    return unproven('unknown_client', noClient, { clientId, reason: 'client_disabled', checks })
  }
  trail.passed('client_enabled')
  const about = { clientId, clientName: client.clientName }
  if (uri === undefined) {
    const checks = trail.failedAt('redirect_uri_registered', { expected: client.redirectUris })
    return unproven('invalid_request', 'redirect_uri is missing.', { ...about, checks })
  }
  if (!matchesRedirectUri(client, uri)) {
    const mismatch = { sent: uri, registered: client.redirectUris }
    const evidence = { sent: shownUri(uri, client.redirectUris), expected: client.redirectUris }
    const checks = trail.failedAt('redirect_uri_registered', evidence)
    return unproven('redirect_uri_mismatch', mismatchRule, { ...about, mismatch, checks })
  }
  trail.passed('redirect_uri_registered')
  return { kind: 'proven', client, address: addressOf(client, parameters, uri) }
}

const noClient = 'client_id names no client that is registered and enabled.'

/** An id that long names nobody anyway. */
const longestShown = 200

const mismatchRule = 'redirect_uri is not exactly one of the registered redirect URIs of this client.'

function unproven(code: ErrorCode, description: string, about: Partial<ShownError> = {}): Proof {
  return { kind: 'unproven', error: { clientName: null, ...about, code, description } }
}

function addressOf(client: Client, parameters: AuthorizeParameters, redirectUri: string): ReturnAddress {
  return Object.freeze({
    clientId: client.clientId,
    clientName: client.clientName,
    redirectUri,
    responseMode: deliveryMode(parameters.response_type, parameters.response_mode),
    state: parameters.state ?? null,
    uiLocales: parseUiLocales(parameters.ui_locales ?? ''),
  }) as ReturnAddress
}
