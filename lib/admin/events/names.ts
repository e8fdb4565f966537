/** Names of the clients and users in a list of events, looked up once. */
import type { StoredEvent } from '#lib/ports/event-log.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Names } from './event-sentence.ts'

type NamePorts = Pick<AdminPorts, 'clients' | 'adminLists'>

export async function namesIn(ports: NamePorts, events: readonly StoredEvent[]): Promise<Names> {
  const [clients, people] = await Promise.all([clientNames(ports, events), peopleNames(ports, events)])
  return {
    client: id => (id === null ? 'A client' : (clients.get(id) ?? id)),
    user: subject => {
      const found = people.get(subject ?? '')
      return found?.name ?? found?.username ?? subject ?? 'A user'
    },
  }
}

async function clientNames(
  { clients }: NamePorts,
  events: readonly StoredEvent[],
): Promise<Map<string, string>> {
  const ids = [...new Set(events.map(({ clientId }) => clientId))].flatMap(
    id => clientIdSchema.safeParse(id).data ?? [],
  )
  const found = await Promise.all(ids.map(id => clients.find(id)))
  return new Map(
    found.flatMap(it => (it === null ? [] : [[it.client.clientId, it.client.clientName] as const])),
  )
}

function peopleNames({ adminLists }: NamePorts, events: readonly StoredEvent[]) {
  const subjects = [...new Set(events.map(({ subject }) => subject))]
  return adminLists.namesOf(subjects.flatMap(subject => subjectIdSchema.safeParse(subject).data ?? []))
}
