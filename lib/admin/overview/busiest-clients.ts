/** The clients that lead a period, with their names. */
import type { BusyClient } from '#lib/ports/aggregates.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Period } from './period.ts'

/** `name` is `null` for a client that is there no more. */
export type RankedClient = BusyClient & { readonly name: string | null }

const mostRanked = 10

type ClientPorts = Pick<AdminPorts, 'rollUps' | 'clients'>

/** The busiest first. */
export async function busiestClients(
  ports: ClientPorts,
  { first, last }: Pick<Period, 'first' | 'last'>,
  by: 'tokens' | 'refusals' = 'tokens',
  limit = mostRanked,
): Promise<readonly RankedClient[]> {
  const found = await ports.rollUps.busiestClients({ first, last }, by, limit)
  return Promise.all(found.map(async client => ({ ...client, name: await nameOf(ports, client.clientId) })))
}

async function nameOf({ clients }: ClientPorts, id: string): Promise<string | null> {
  const clientId = clientIdSchema.safeParse(id).data
  if (clientId === undefined) return null
  return (await clients.find(clientId))?.client.clientName ?? null
}
