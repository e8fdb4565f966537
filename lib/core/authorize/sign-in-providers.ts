/** The identity providers with which the user of a request can sign in. */
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { type ProviderScheme, providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { localProvider, localProviderOfIdentityServer3 } from '#lib/protocol/vocabulary.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** Returns the enabled providers that the client does not exclude. */
export function openProviders(client: Client, all: readonly IdentityProvider[]): readonly IdentityProvider[] {
  const restrictions = client.identityProviderRestrictions
  return all.filter(
    ({ enabled, scheme }) => enabled && (restrictions.length === 0 || restrictions.includes(scheme)),
  )
}

/**
 * Returns the providers that pages may list. A hidden one is listed only if it is `known`: the request names it, or the
 * signed-in user came from it.
 */
export function listedProviders(
  providers: readonly IdentityProvider[],
  known: string | null,
): readonly IdentityProvider[] {
  return providers.filter(({ hidden, scheme }) => !hidden || scheme === known)
}

/**
 * Returns the provider that `acr_values=idp:` requests, if the client allows it; otherwise `null`, as if it were not
 * requested.
 */
export function requestedProvider(
  request: Pick<ValidAuthorizeRequest, 'acrValues'>,
  client: Client,
  providers: readonly IdentityProvider[],
): ProviderScheme | null {
  const { idp } = request.acrValues
  if (providers.some(({ scheme }) => scheme === idp)) return idp
  const isLocal = idp === localProvider || idp === localProviderOfIdentityServer3
  return isLocal && client.enableLocalLogin ? providerSchemeSchema.parse(localProvider) : null
}
