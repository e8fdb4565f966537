/** What going to a provider and coming back have in common. */
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { allowsProvider, type Interaction } from './interaction.ts'

/** The provider, if it is enabled and the waiting request allows it now. */
export async function findProvider(
  ports: Ports,
  scheme: string,
  interaction: Interaction | null,
): Promise<IdentityProvider | null> {
  const parsed = providerSchemeSchema.safeParse(scheme)
  const provider = parsed.success ? await ports.providers.find(parsed.data) : null
  return provider !== null && allowsProvider(interaction, provider) ? provider : null
}

/** One address per provider, so that an answer of one can never be taken for another's (RFC 9700 4.4). */
export function callbackUri(ports: Ports, provider: IdentityProvider): string {
  return `${ports.settings.issuer}/login/external/${provider.scheme}/callback`
}

/** The provider's failure as a value; everything else is a bug and stays thrown. */
export async function orProviderError<T>(conversation: Promise<T>): Promise<T | OauthError> {
  try {
    return await conversation
  } catch (error) {
    if (isOauthError(error) && error.code === 'provider_failed') return error
    throw error
  }
}

/** Records why a provider failed; `reason` holds none of its words. */
export function recordFailure(
  ports: Ports,
  failure: {
    readonly provider: IdentityProvider
    readonly interaction: Interaction | null
    readonly reason: string
  },
  context: RequestContext,
): void {
  const { provider, interaction, reason } = failure
  ports.events.record(
    { name: 'external_sign_in_failed', outcome: 'failure', reason, ...about(provider, interaction) },
    context,
  )
}

/** The fields that all events about a provider share. */
export function about(provider: IdentityProvider, interaction: Interaction | null) {
  const clientId = interaction?.hints.client?.clientId
  return { ...(clientId === undefined ? {} : { clientId }), details: { scheme: provider.scheme } }
}
