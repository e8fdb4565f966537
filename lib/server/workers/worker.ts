/** One of several processes that serve for a node. It obeys its primary process only. */
import type { Config } from '#lib/config/env.ts'
import { declareWorkers } from '../readiness.ts'
import { openServer, type Serving } from '../start/open-server.ts'
import { summaryOf } from '../start/summary.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Resolves when requests are answered. Node ends a worker whose primary process is gone. */
export async function runWorker(config: Config): Promise<void> {
  let serving: Serving | null = null
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'ping':
        declareWorkers({ wanted: message.wanted, running: message.running })
        return send({ kind: 'alive' })
      case 'maintain':
        return serving?.maintain()
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

/** The message is lost when the primary process is gone; then this process ends as well. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
