/** What housekeeping does with this process's resources. */
import { createReferenceId } from '#lib/http/reference-id.ts'
import type { Events } from '#lib/ports/events.ts'
import type { Housekeeping } from './housekeeping.ts'
import type { Resources } from './resources.ts'

export function choresOf({ storage, keyRing, clock, log }: Resources, events: Events): Housekeeping {
  return {
    purge: () => storage.purge(clock.now()),
    ensureKeys: async () => {
      for (const { kid } of await keyRing.ensureKeys()) recordKey(events, kid)
    },
    onFailure: error => log.failure(error, { chore: 'housekeeping' }),
  }
}

/** LG-01: nobody asked for it, so it has a reference of its own. */
function recordKey(events: Events, kid: string): void {
  const context = { referenceId: createReferenceId(), address: null, userAgent: null }
  const details = { change: 'scheduled', made: kid, removed: null }
  events.record({ name: 'key_changed', outcome: 'success', details }, context)
}
