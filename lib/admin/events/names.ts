/** Names of the clients and users in a list, looked up once. */
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'

export type Names = {
  /** The display name; the ID where none is known. */
  readonly client: (clientId: string | null) => string
  readonly user: (subject: string | null) => string
}

type Row = { readonly clientId?: string | null; readonly subject?: string | null }

export async function namesIn(
  { clients, adminLists }: Pick<AdminPorts, 'clients' | 'adminLists'>,
  rows: readonly Row[],
): Promise<Names> {
  const clientIds = [...new Set(rows.map(({ clientId }) => clientId))]
  const subjects = [...new Set(rows.map(({ subject }) => subject))]
  const [found, users] = await Promise.all([
    Promise.all(clientIds.flatMap(id => clientIdSchema.safeParse(id).data ?? []).map(id => clients.find(id))),
    adminLists.namesOf(subjects.flatMap(subject => subjectIdSchema.safeParse(subject).data ?? [])),
  ])
  const clientNames = new Map<string, string>(
    found.flatMap(it => (it === null ? [] : [[it.client.clientId, it.client.clientName] as const])),
  )
  return {
    client: id => (id === null ? 'A client' : (clientNames.get(id) ?? id)),
    user: subject => {
      const user = users.get(subject ?? '')
      return user?.name ?? user?.username ?? subject ?? 'A user'
    },
  }
}
