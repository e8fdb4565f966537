/** The messages between the primary process and its workers. Both have the same release: they are the same program. */
import type { TextFormat } from '#lib/metrics/prometheus-text.ts'
import type { Sample } from '#lib/metrics/registry.ts'
import type { Summary } from '../start/summary-box.ts'

/** How a worker ended. */
export type WorkerEnd = {
  readonly worker: number
  /** The exit code; `null` if a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
  /** Killed because it did not answer. */
  readonly wasSilent: boolean
}

export type ToWorker =
  /**
   * A request to answer with `alive`. `wanted`: the number of workers of the node. `running`: how many of them serve.
   */
  | { readonly kind: 'ping'; readonly wanted: number; readonly running: number }
  /** Begins the tasks that only one process of a node runs. */
  | { readonly kind: 'maintain' }
  /** Sent to the replacement of a worker, which records how that worker ended. */
  | { readonly kind: 'replaces'; readonly end: WorkerEnd }
  /** The metrics of all workers, for the worker that asked. */
  | { readonly kind: 'metrics'; readonly id: string; readonly text: string }
  /** Completes the requests in progress and ends. */
  | { readonly kind: 'drain' }

export type FromWorker =
  /** The database and the configuration are ready, so that the other workers can start. */
  | { readonly kind: 'prepared'; readonly isDemo: boolean }
  /** The worker serves. The first worker also sends the summary of the start. */
  | { readonly kind: 'serving'; readonly summary: Summary | null }
  /** The answer to `ping`. If metrics are on, it contains the metrics of the worker. */
  | { readonly kind: 'alive'; readonly metrics?: readonly Sample[] | undefined }
  /** A request for the metrics of all workers. */
  | { readonly kind: 'metrics_asked'; readonly id: string; readonly format: TextFormat }
