import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { Database } from '../../database.ts'
import { createClientLists } from './clients.ts'
import { createConsentLists, createGrantLists } from './grants.ts'
import { createScopeLists } from './scopes.ts'
import { createSessionLists, createUsage } from './sessions.ts'
import { createUserLists } from './users.ts'

/** Everything the dashboard's lists read. */
export function createAdminLists(database: Database): AdminLists {
  return {
    ...createClientLists(database),
    ...createScopeLists(database),
    ...createUserLists(database),
    ...createSessionLists(database),
    ...createGrantLists(database),
    ...createConsentLists(database),
    ...createUsage(database),
  }
}
