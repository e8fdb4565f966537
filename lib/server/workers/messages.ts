/** What the primary process and its workers send each other. Both are of one release: they are the same program. */
import type { Summary } from '../start/summary-box.ts'

export type ToWorker =
  /** Answered with `alive`. `running` are the workers that serve. */
  | { readonly kind: 'ping'; readonly wanted: number; readonly running: number }
  /** Begins what only one process of a node does. */
  | { readonly kind: 'maintain' }
  /** Completes the requests in progress and ends. */
  | { readonly kind: 'drain' }

export type FromWorker =
  /** The database and the configuration are there, so that the other workers can start. */
  | { readonly kind: 'prepared'; readonly isDemo: boolean }
  /** Requests are answered. The first worker also sends what the start prints. */
  | { readonly kind: 'serving'; readonly summary: Summary | null }
  | { readonly kind: 'alive' }
