/** AD-03: what administers is changed by owners alone. For others the buttons of its pages are dead, with that reason. */
import type { Permission } from '#lib/admin/access/permissions.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { ownersOnly } from '#lib/admin/clients/owned-client.ts'
import { refusalToTouch } from '#lib/admin/users/change-user.ts'
import { clientIdSchema, type SubjectId } from '#lib/protocol/ids.ts'
import type { AdminPage } from './admin-page.ts'

/** The page of a person. Their own sessions and tokens everybody may end. */
export async function pageOfUser(page: AdminPage, subject: SubjectId): Promise<AdminPage> {
  const isOwn = page.actor.subject === subject
  const mayStill = (permission: Permission) => isOwn && permission === 'grants:revoke'
  return refusing(page, await refusalToTouch(page.ports, subject, page), mayStill)
}

/** A page of a client. */
export async function pageOfClient(page: AdminPage, client: ClientView): Promise<AdminPage> {
  const stored = { clientId: clientIdSchema.parse(client.client_id), metadata: client.metadata }
  return refusing(page, await ownersOnly(page.ports, stored, page), () => false)
}

function refusing(
  page: AdminPage,
  refusal: AdminResult<never> | null,
  mayStill: (permission: Permission) => boolean,
): AdminPage {
  if (refusal?.kind !== 'denied') return page
  const isTouching = (permission: Permission) => !permission.endsWith(':read') && !mayStill(permission)
  return {
    ...page,
    reasonAgainst: permission =>
      page.reasonAgainst(permission) ?? (isTouching(permission) ? refusal.reason : null),
  }
}
