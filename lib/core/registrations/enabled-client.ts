/** Finds the client that a request or a token names, where no secret of the client is verified. */
import { findRegistration } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'

/** Returns the client with this ID; `null` if there is none, or it is disabled. */
export async function findEnabledClient(
  ports: Pick<Ports, 'clients'>,
  id: JsonValue,
): Promise<Client | null> {
  const registered = await findRegistration(ports, id)
  return registered?.client.enabled ? registered.client : null
}
