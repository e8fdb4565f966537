/** Opens the secrets of identity providers, which are stored sealed. */
import type { Sealing } from '#lib/ports/environment.ts'
import type { IdentityProvider, IdentityProviders } from '#lib/ports/grants.ts'
import { providerSecretPlace } from '#lib/protocol/registration/records.ts'

/** The same providers with readable secrets, each opened only when it is read. */
export function withOpenedSecrets(providers: IdentityProviders, sealing: Sealing): IdentityProviders {
  return {
    all: async () => (await providers.all()).map(provider => opened(provider, sealing)),
    find: async scheme => {
      const provider = await providers.find(scheme)
      return provider === null ? null : opened(provider, sealing)
    },
  }
}

function opened(provider: IdentityProvider, sealing: Sealing): IdentityProvider {
  const { clientSecret: sealed, ...rest } = provider
  return {
    ...rest,
    get clientSecret() {
      return sealed === null ? null : sealing.open(sealed, providerSecretPlace(provider.scheme))
    },
  }
}
