/** Which ways of signing in are open to a client. */
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { type ProviderScheme, providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { localProvider, localProviderOfIdentityServer3 } from '#lib/protocol/vocabulary.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** The enabled providers that the client does not exclude. */
export function openProviders(client: Client, all: readonly IdentityProvider[]): readonly IdentityProvider[] {
  const restrictions = client.identityProviderRestrictions
  return all.filter(
    ({ enabled, scheme }) => enabled && (restrictions.length === 0 || restrictions.includes(scheme)),
  )
}

/** What `acr_values=idp:` asks for, as far as the client's configuration allows it; else `null`, as if not asked. */
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
