/** An installation as a server opens it: a storage with data keys that a master key wraps. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { Sealing } from '#lib/ports/environment.ts'
import { openStorage, type Storage } from '#lib/storage/open.ts'
import { createLateAuditHash } from '../audit-chain.ts'
import { openDataKeys } from '../keys/data-keys.ts'
import type { MasterKeys } from '../keys/master-key.ts'
import { createSealing } from '../keys/sealing.ts'

/** Opens a migrated database. */
export async function openInstallation(
  location: DatabaseLocation,
  masterKeys: MasterKeys,
): Promise<{ readonly storage: Storage; readonly sealing: Sealing }> {
  const audit = createLateAuditHash()
  const storage = await openStorage(location, audit.hash)
  const { keys } = await openDataKeys(masterKeys, storage.meta)
  audit.use(keys.audit)
  return { storage, sealing: createSealing(keys.sealing) }
}
