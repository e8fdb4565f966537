/** Clients by the client ID of a request. Disabled ones count as unknown. */
import type { RegisteredClient } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'

/** Also finds a disabled client, so that a refusal can name the reason to admins. `null` when unknown. */
export async function findClient(ports: Ports, id: JsonValue): Promise<Client | null> {
  const clientId = clientIdSchema.safeParse(id)
  return clientId.success ? ((await ports.clients.find(clientId.data))?.client ?? null) : null
}

/** `null` when unknown or disabled, and for a value that cannot be a client ID. */
export async function findEnabledClient(ports: Ports, id: JsonValue): Promise<Client | null> {
  return (await findEnabledRegistration(ports, id))?.client ?? null
}

/** The same with its secrets. */
export async function findEnabledRegistration(ports: Ports, id: JsonValue): Promise<RegisteredClient | null> {
  const clientId = clientIdSchema.safeParse(id)
  const registered = clientId.success ? await ports.clients.find(clientId.data) : null
  return registered?.client.enabled ? registered : null
}
