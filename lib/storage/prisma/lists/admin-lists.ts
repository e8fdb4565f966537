import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { Client } from '../../client.ts'
import { createClientLists } from './clients.ts'
import { createConsentLists } from './consents.ts'
import { createGrantLists } from './grants.ts'
import { createScopeLists } from './scopes.ts'
import { createSessionLists } from './sessions.ts'
import { createUsage } from './usage.ts'
import { createUserLists } from './users.ts'

/** Everything the dashboard's lists read. */
export function createAdminLists(client: Client): AdminLists {
  return {
    ...createClientLists(client),
    ...createScopeLists(client),
    ...createUserLists(client),
    ...createSessionLists(client),
    ...createGrantLists(client),
    ...createConsentLists(client),
    ...createUsage(client),
  }
}
