/**
 * Logs the end of the audit chain after each change by an admin or the operator. Logs are stored elsewhere, so if the newest
 * rows are deleted from the database, `npm run audit:verify -- --holds …` detects it (LG-04).
 */
import { notedCharacters } from '#lib/crypto/audit-chain.ts'
import type { Log } from '#lib/events/log.ts'
import type { AdminStore } from '#lib/ports/admin-store.ts'

export type AuditLog = Pick<Log, 'write' | 'failure'>

export function logAuditHead(store: AdminStore, log: AuditLog): AdminStore {
  return {
    ...store,
    commit: async (change, now) => {
      const committed = await store.commit(change, now)
      if (committed.kind === 'done') await note(store, log)
      return committed
    },
  }
}

/** The change is already committed when this fails. */
async function note({ audit }: AdminStore, log: AuditLog): Promise<void> {
  try {
    const head = await audit.head()
    if (head === null) return
    log.write('info', 'audit', { end: `${head.seq}:${head.hash.slice(0, notedCharacters)}` })
  } catch (error) {
    log.failure(error, { origin: 'audit_note' })
  }
}
