/** Names of the clients and users in a list, looked up once. */
import type { AuditRow } from '#lib/ports/admin-store.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { policiesId } from '#lib/protocol/registration/policies.ts'
import type { AdminPorts } from './admin-ports.ts'

type NamePorts = Pick<AdminPorts, 'clients' | 'adminLists'>

export type Names = {
  /** The display name of a client; its ID if it is not registered, and `A client` for `null`. */
  readonly client: (clientId: string | null) => string
  /** The display name or user name; the subject if there is no such user, and `A user` for `null`. */
  readonly user: (subject: string | null) => string
}

type Row = { readonly clientId?: string | null; readonly subject?: string | null }

export async function namesIn(ports: NamePorts, rows: readonly Row[]): Promise<Names> {
  const clientIds = [...new Set(rows.map(({ clientId }) => clientId ?? null))]
  const subjects = [...new Set(rows.map(({ subject }) => subject))]
  const [clients, users] = await Promise.all([
    Promise.all(clientIds.map(id => findRegistration(ports, id))),
    ports.adminLists.namesOf(subjects.flatMap(subject => subjectIdSchema.safeParse(subject).data ?? [])),
  ])
  return {
    client: id => (id === null ? 'A client' : (clients[clientIds.indexOf(id)]?.client.clientName ?? id)),
    user: subject => {
      const user = users.get(subject ?? '')
      return user?.name ?? user?.username ?? subject ?? 'A user'
    },
  }
}

export type ChangeNames = {
  readonly actor: (row: Pick<AuditRow, 'actor'>) => string
  /**
   * The name of a changed user, administrator or client, both names for a consent, and the ID of another object; empty for the
   * configuration and the policies, of which there is only one.
   */
  readonly target: (row: Target) => string
  /** Whether the client, user, scope or provider of the row still exists; `false` for other objects. */
  readonly isThere: (row: Target) => boolean
}

type Target = Pick<AuditRow, 'targetKind' | 'targetId'>

/** The names of the users and clients in a list of changes. A deleted one is named by its ID. */
export async function changeNames(ports: NamePorts, rows: readonly AuditRow[]): Promise<ChangeNames> {
  const ids = rows.flatMap(row => [row.actor ?? [], namedIn(row)].flat())
  const names = await namesIn(
    ports,
    ids.map(id => ({ clientId: id, subject: id })),
  )
  // No user has the ID of a client
  const nameOf = (id: string) => (names.client(id) === id ? names.user(id) : names.client(id))
  const present = await presentTargets(ports, rows)
  return {
    actor: ({ actor }) => (actor === null ? 'The operator' : nameOf(actor)),
    target: row =>
      ['configuration', 'policies'].includes(row.targetKind)
        ? ''
        : namedIn(row).map(nameOf).join(', ') || row.targetId,
    isThere: ({ targetKind, targetId }) => present[targetKind]?.has(targetId) ?? false,
  }
}

type Present = Readonly<Partial<Record<AuditRow['targetKind'], ReadonlySet<string>>>>

/**
 * The IDs of the clients, users, scopes and providers in the rows that still exist. Scopes and providers, of which there are few,
 * are read as lists, with IDs that are not in the rows.
 */
async function presentTargets(ports: NamePorts, rows: readonly AuditRow[]): Promise<Present> {
  const idsOf = (kind: AuditRow['targetKind']) =>
    new Set(rows.filter(row => row.targetKind === kind).map(row => row.targetId))
  const { adminLists } = ports
  const subjects = [...idsOf('user')].flatMap(id => subjectIdSchema.safeParse(id).data ?? [])
  const clientIds = [...idsOf('client')]
  const [clients, users, scopes, providers] = await Promise.all([
    Promise.all(clientIds.map(id => findRegistration(ports, id))),
    adminLists.namesOf(subjects),
    idsOf('scope').size === 0 ? [] : adminLists.scopes(),
    idsOf('provider').size === 0 ? [] : adminLists.providers(),
  ])
  return {
    client: new Set(clientIds.filter((_id, index) => clients[index] !== null)),
    user: new Set(users.keys()),
    policies: new Set([policiesId]),
    scope: new Set(scopes.map(({ name }) => name)),
    provider: new Set(providers.map(({ scheme }) => scheme)),
  }
}

/** The IDs of users and clients in the ID of a target. That of a consent has both: `<subject> <client_id>`. */
function namedIn({ targetKind, targetId }: Target): readonly string[] {
  const isNamed = ['user', 'client', 'administrator', 'consent'].includes(targetKind)
  return isNamed ? targetId.split(' ') : []
}
