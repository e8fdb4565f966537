/** When clients and secrets were last used, for those who wonder whether they may be removed. */
import type { ClientId } from '#lib/protocol/ids.ts'

/** To the minute. Marking never waits and never fails: nothing depends on it. */
export type UsageMarks = {
  readonly client: (clientId: ClientId, now: Date) => void
  /** `owner`: the name of a client or of a scope; `id`: that of the stored secret. */
  readonly secret: (secret: { readonly owner: string; readonly id: string }, now: Date) => void
  /** Resolves when everything marked until now is written, or could not be. */
  readonly flush: () => Promise<void>
}
