/** The signing algorithms that the registrations need. */
import type { Clients, Scopes } from '#lib/ports/clients.ts'
import type { SignatureSettings } from '#lib/protocol/registration/client.ts'
import type { AccessTokenFormat, SigningAlgorithm } from '#lib/protocol/vocabulary.ts'

type Registrations = {
  readonly clients: Pick<Clients, 'signatureSettings'>
  readonly scopes: Pick<Scopes, 'all'>
  /** The server's default format. */
  readonly accessTokenFormat: AccessTokenFormat
}

/** Returns RS256, which the dashboard and the older format use, and the algorithms of enabled clients with a grant type. */
export async function algorithmsInUse(registrations: Registrations): Promise<ReadonlySet<SigningAlgorithm>> {
  const { clients, scopes, accessTokenFormat } = registrations
  const [settings, registered] = await Promise.all([clients.signatureSettings(), scopes.all()])
  const ofScopes = registered.map(({ scope }) => (scope.enabled ? scope.accessTokenFormat : null))
  const hasStandard = [accessTokenFormat, ...ofScopes].some(isStandard)
  return new Set(['RS256', ...settings.flatMap(each => algorithmsOf(each, hasStandard))])
}

/** Whether a token of this format is signed with the algorithm of its client. */
function isStandard(format: AccessTokenFormat | null): boolean {
  return format !== null && format !== 'identityserver3'
}

/**
 * The algorithms of one client. `hasStandard`: whether the access tokens of a client without a format can have one with
 * the claims of RFC 9068.
 */
function algorithmsOf(settings: SignatureSettings, hasStandard: boolean): readonly SigningAlgorithm[] {
  const { accessTokenType, accessTokenFormat, accessTokenSignedResponseAlg, idTokenSignedResponseAlg } =
    settings
  const isPossible = accessTokenFormat === null ? hasStandard : isStandard(accessTokenFormat)
  return accessTokenType === 'jwt' && isPossible
    ? [idTokenSignedResponseAlg, accessTokenSignedResponseAlg]
    : [idTokenSignedResponseAlg]
}
