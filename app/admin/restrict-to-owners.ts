/** AD-03: only owners change administrators. For others the buttons of these pages are disabled, with that reason. */
import type { Permission } from '#lib/admin/access/permissions.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import { ownersOnly } from '#lib/admin/clients/client-resource.ts'
import { refusalToTouch } from '#lib/admin/users/user-resource.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPage } from './admin-page.ts'

/** The page with the permissions for a user’s objects. Admins may always revoke their own sessions and tokens. */
export async function restrictUserToOwners(page: AdminPage, subject: string): Promise<AdminPage> {
  if (page.actor.role === 'owner') return page
  const isOwn = page.actor.subject === subject
  const mayStill = (permission: Permission) => isOwn && permission === 'grants:revoke'
  return refusing(page, await refusalToTouch(page.ports, subjectIdSchema.parse(subject), page), mayStill)
}

type ReadClient = { readonly client_id: string; readonly metadata: JsonValue }

/** The page with the permissions for a client that was read already. */
export async function restrictClientToOwners(
  page: AdminPage,
  { client_id: id, metadata }: ReadClient,
): Promise<AdminPage> {
  if (page.actor.role === 'owner') return page
  const client = { clientId: clientIdSchema.parse(id), metadata }
  return refusing(page, await ownersOnly(page.ports, client, page), () => false)
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
