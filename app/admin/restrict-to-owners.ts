/** AD-03: what administers is changed by owners alone. For others the buttons of its pages are dead, with that reason. */
import type { Permission } from '#lib/admin/access/permissions.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import { ownersOnly } from '#lib/admin/clients/owned-client.ts'
import { refusalToTouch } from '#lib/admin/users/user-resource.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPage } from './admin-page.ts'

/** The page as it is for what belongs to a person. Their own sessions and tokens everybody may end. */
export async function restrictUserToOwners(page: AdminPage, subject: string): Promise<AdminPage> {
  if (page.actor.role === 'owner') return page
  const isOwn = page.actor.subject === subject
  const mayStill = (permission: Permission) => isOwn && permission === 'grants:revoke'
  return refusing(page, await refusalToTouch(page.ports, subjectIdSchema.parse(subject), page), mayStill)
}

/** The page as it is for what belongs to a client. */
export async function restrictClientToOwners(page: AdminPage, clientId: string): Promise<AdminPage> {
  if (page.actor.role === 'owner') return page
  const stored = await page.ports.adminLists.client(clientIdSchema.parse(clientId))
  return stored === null ? page : refusing(page, await ownersOnly(page.ports, stored, page), () => false)
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
