/** Checks that a database is complete and that the master key opens it. */

import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { createAuditHash, verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import { openDataKeys } from '#lib/crypto/keys/data-keys.ts'
import type { MasterKeys } from '#lib/crypto/keys/master-key.ts'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import { opensSigningKey } from '#lib/crypto/keys/signing-key.ts'
import { openAuditTrail } from '#lib/storage/open-audit-trail.ts'
import { BackupProblem } from './backup-problem.ts'

export type CheckedDatabase = { readonly changes: number; readonly signingKeys: number }

/**
 * Checks the master key, each signing key and the whole audit trail. Returns the numbers of changes and keys. Throws a
 * ConfigError if the master key is a different one, and a BackupProblem for everything else that is wrong.
 */
export async function checkDatabase(
  location: DatabaseLocation,
  masterKeys: MasterKeys,
): Promise<CheckedDatabase> {
  const { audit, meta, signingKeys, close } = await openAuditTrail(location)
  try {
    const { keys } = await openDataKeys(masterKeys, meta)
    const sealing = createSealing(keys.sealing)
    const stored = await signingKeys.all()
    const closed = stored.find(key => !opensSigningKey(key, sealing))
    if (closed !== undefined)
      throw new BackupProblem(`The signing key ${closed.kid} cannot be opened with this master key.`)
    const verified = await verifyAuditChain(audit, createAuditHash(keys.audit))
    if (verified.kind === 'broken')
      throw new BackupProblem(
        `The audit log is broken at change ${verified.seq}: npm run audit:verify explains it.`,
      )
    return { changes: verified.rows, signingKeys: stored.length }
  } finally {
    await close()
  }
}
