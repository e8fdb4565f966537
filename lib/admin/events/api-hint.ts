/** Gives advice in the trace of a token response, for an API that refuses the issued token. */
import { findRegistration } from '#lib/ports/clients.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { accessTokenFormatLabels } from '#lib/protocol/registration/fields.ts'
import type { AdminPorts } from '../admin-ports.ts'

/**
 * Advises to change the format of the access token if tokens were issued and the client gets JWTs in the format `rfc9068`,
 * whose `typ` is at+jwt; otherwise returns `null`. Formats that scopes set are not considered.
 */
export async function apiHint(
  ports: Pick<AdminPorts, 'clients' | 'settings'>,
  { name, clientId }: Pick<StoredEvent, 'name' | 'clientId'>,
): Promise<string | null> {
  if (name !== 'tokens_issued' || clientId === null) return null
  const client = (await findRegistration(ports, clientId))?.client
  if (client === undefined || client.accessTokenType !== 'jwt') return null
  if ((client.accessTokenFormat ?? ports.settings.accessTokenFormat) !== 'rfc9068') return null
  return `If an API refuses this access token because of its typ at+jwt, as Spring Security does by default, set the access token format of the client to “${accessTokenFormatLabels['rfc9068-jwt']}”.`
}
