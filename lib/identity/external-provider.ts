/** What going to a provider and coming back have in common. */
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type PendingHandle, providerSchemeSchema } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
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

/** Who goes where, and for which request. `provider: null`: to none that is open to them. */
type Passage = {
  readonly provider: IdentityProvider | null
  readonly interaction: Interaction | null
  readonly pending: PendingHandle | null
}

/** Records why a provider failed; `answer` is the error code that it sent. */
export function recordFailure(
  ports: Ports,
  failure: Passage & { readonly reason: Reason; readonly answer?: string | undefined },
  context: RequestContext,
): void {
  const { reason, answer } = failure
  const { details, ...others } = about(ports, failure)
  const event = { name: 'external_sign_in_failed', outcome: 'failure', reason, ...others } as const
  ports.events.record({ ...event, details: answer === undefined ? details : { ...details, answer } }, context)
}

/** The fields that all events about a provider share. */
export function about({ hashing }: Pick<Ports, 'hashing'>, { provider, interaction, pending }: Passage) {
  const clientId = interaction?.hints.client?.clientId
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(pending === null ? {} : { flow: flowOf(hashing.digest(pending)) }),
    details: { scheme: provider?.scheme ?? null },
  }
}
