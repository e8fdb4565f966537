/** Names for the users and clients that a list of changes mentions, looked up once. */
import type { AuditRow } from '#lib/ports/admin-store.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { identitiesOf } from '../administrators/read-administrators.ts'

export type ChangeNames = {
  readonly actor: (row: Pick<AuditRow, 'actor'>) => string
  /** What was changed; empty where there is only one of its kind. */
  readonly target: (row: Pick<AuditRow, 'targetKind' | 'targetId'>) => string
}

/** What is not known any longer keeps its id as its name. */
export async function changeNames(
  ports: Pick<AdminPorts, 'adminLists' | 'clients'>,
  rows: readonly AuditRow[],
): Promise<ChangeNames> {
  const ids = [...new Set(rows.flatMap(row => [row.actor ?? [], namedIn(row)].flat()))]
  const subjects = ids.flatMap(id => subjectIdSchema.safeParse(id).data ?? [])
  const identityOf = await identitiesOf(ports, subjects)
  const nameOf = (id: string) => {
    const subject = subjectIdSchema.safeParse(id).data
    return subject === undefined ? id : identityOf(subject).name
  }
  return {
    actor: ({ actor }) => (actor === null ? 'The operator' : nameOf(actor)),
    target: row =>
      row.targetKind === 'configuration' ? '' : namedIn(row).map(nameOf).join(', ') || row.targetId,
  }
}

/** The users and clients that the target's id consists of. A consent has both: `<subject> <client_id>`. */
function namedIn({ targetKind, targetId }: Pick<AuditRow, 'targetKind' | 'targetId'>): readonly string[] {
  const isNamed = ['user', 'client', 'administrator', 'consent'].includes(targetKind)
  return isNamed ? targetId.split(' ') : []
}
