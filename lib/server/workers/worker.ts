/** A worker process: one of several that serve for a node. Its primary process controls it. */
import type { Config } from '#lib/config/env.ts'
import { createRequestId } from '#lib/http/request-id.ts'
import type { Events } from '#lib/ports/events.ts'
import { declareWorkers } from '../readiness.ts'
import { openServer, type Serving } from '../start/open-server.ts'
import { summaryOf } from '../start/summary.ts'
import type { FromWorker, ToWorker, WorkerEnd } from './messages.ts'

/** Runs a worker. Resolves when it serves. Node ends a worker whose primary process has ended. */
export async function runWorker(config: Config): Promise<void> {
  let serving: Serving | null = null
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'ping':
        declareWorkers({ wanted: message.wanted, running: message.running })
        return send({ kind: 'alive', metrics: serving?.opened.metrics?.registry.read() })
      case 'maintain':
        return serving?.maintain()
      case 'replaces':
        if (serving !== null) recordEnd(serving.events, message.end)
        return
      case 'drain':
        return void (serving?.end() ?? Promise.resolve()).finally(() => process.exit(0))
    }
  })
  serving = await openServer({
    config,
    isDevelopment: false,
    onPrepared: opened => {
      if (opened.applied !== null) send({ kind: 'prepared', isDemo: opened.config.demo })
    },
  })
  const { opened } = serving
  send({ kind: 'serving', summary: opened.applied === null ? null : await summaryOf(opened) })
}

/** LG-01: records the event with a new request ID, because no request caused it. */
function recordEnd(events: Events, { worker, code, signal, wasSilent }: WorkerEnd): void {
  const context = { requestId: createRequestId(), address: null, userAgent: null }
  const details = { worker, code, signal, wasSilent }
  events.record({ name: 'worker_replaced', outcome: 'failure', details }, context)
}

/** Sends a message. It is lost if the primary process has ended; then this process ends as well. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
