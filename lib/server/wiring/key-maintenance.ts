/** Makes and retires signing keys, on schedule and after changes of the registrations. */
import type { KeyRing } from '#lib/crypto/keys/key-ring.ts'
import { createRequestId } from '#lib/http/request-id.ts'
import type { AdminStore, AdminWrite } from '#lib/ports/admin-store.ts'
import type { Events } from '#lib/ports/events.ts'

type Maintained = { readonly keyRing: Pick<KeyRing, 'ensureKeys'>; readonly events: Events }

/** Makes the keys that are needed and retires others, and records an event for each new key. */
export async function maintainKeys({ keyRing, events }: Maintained): Promise<void> {
  for (const { kid } of await keyRing.ensureKeys()) recordKey(events, kid)
}

/** LG-01: records the event with a new request ID. */
function recordKey(events: Events, kid: string): void {
  const context = { requestId: createRequestId(), address: null, userAgent: null }
  const details = { change: 'scheduled', made: kid, removed: null }
  events.record({ name: 'key_changed', outcome: 'success', details }, context)
}

/**
 * Publishes the keys of a new algorithm before a change of clients or scopes is answered, so that APIs find them before
 * the first token. If this fails, the change is already committed, and the first token makes the key.
 */
export function withKeysInUse(
  store: AdminStore,
  maintained: Maintained,
  onFailure: (error: unknown) => void,
): AdminStore {
  return {
    ...store,
    commit: async (change, now) => {
      const committed = await store.commit(change, now)
      if (committed.kind === 'done' && change.writes.some(canChangeAlgorithms))
        await maintainKeys(maintained).catch(onFailure)
      return committed
    },
  }
}

function canChangeAlgorithms(write: AdminWrite): boolean {
  return write.kind === 'import' || (write.kind === 'put' && (write.of === 'client' || write.of === 'scope'))
}
