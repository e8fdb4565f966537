/** AD-03: access to a client that is or can become an administrator gives its rights. */
import type { ClientRecord } from '#lib/ports/configuration-store.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { mayTouchAccount, mayTouchScope } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied } from '../admin-result.ts'
import type { AdminCall } from '../use-case.ts'

/** `null` when this admin may change or delete the stored client. */
export async function ownersOnly(
  ports: Pick<AdminPorts, 'administrators'>,
  { clientId, metadata }: Pick<ClientRecord, 'clientId' | 'metadata'>,
  { actor }: Pick<AdminCall, 'actor'>,
): Promise<AdminResult<never> | null> {
  const subject = subjectIdSchema.safeParse(clientId)
  const administrator = subject.success ? await ports.administrators.find(subject.data) : null
  const isOpen =
    mayTouchAccount(actor.role, administrator?.role ?? null) &&
    clientFromMetadata(metadata).scopes.every(scope => mayTouchScope(actor.role, scope))
  return isOpen ? null : denied('This client administers the service. Only owners may change it.')
}
