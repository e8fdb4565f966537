/**
 * Each change by an admin or by the operator leaves the end of the audit chain in the log. Logs are kept elsewhere: whoever
 * cuts the newest rows off in the database cannot cut them off there, and `npm run audit:verify -- --holds …` shows it
 * (LG-04).
 */
import { notedCharacters } from '#lib/crypto/audit-chain.ts'
import type { Log } from '#lib/events/log.ts'
import type { AdminStore } from '#lib/ports/admin-store.ts'

export type AuditNotes = Pick<Log, 'write' | 'failure'>

export function notingAudit(store: AdminStore, log: AuditNotes): AdminStore {
  return {
    ...store,
    commit: async (change, now) => {
      const committed = await store.commit(change, now)
      if (committed.kind === 'done') await note(store, log)
      return committed
    },
  }
}

/** What was done stays done when this fails. */
async function note({ audit }: AdminStore, log: AuditNotes): Promise<void> {
  try {
    const head = await audit.head()
    if (head === null) return
    log.write('info', 'audit', { end: `${head.seq}:${head.hash.slice(0, notedCharacters)}` })
  } catch (error) {
    log.failure(error, { origin: 'audit_note' })
  }
}
