/** The only process of a node: it prepares the node, serves, and ends at a signal. */
import type { Config } from '#lib/config/env.ts'
import { runCommand } from '../cli/command.ts'
import { commandSocketOf, openCommandSocket } from '../cli/command-socket.ts'
import { listenForMetrics } from '../host/metrics-server.ts'
import { exportTo } from '../wiring/metrics-export.ts'
import { commandPorts } from '../wiring/operator-ports.ts'
import type { Resources } from '../wiring/resources.ts'
import { onEndSignal, showStopping } from './drain.ts'
import { openServer } from './open-server.ts'
import { declareRunning } from './running.mjs'
import { summaryOf } from './summary.ts'
import { announce } from './summary-box.ts'

type Run = {
  /** The settings, already checked. */
  readonly config: Config
  readonly isDevelopment: boolean
  /** The time when the start began, in milliseconds since the epoch. */
  readonly since: number
  readonly watchesParent: boolean
}

/** Runs the server. Resolves when it listens and the summary is printed. */
export async function runServer({ config, isDevelopment, since, watchesParent }: Run): Promise<void> {
  declareRunning()
  const { opened, maintain, end } = await openServer({ config, isDevelopment })
  maintain()
  const closeCommands = await openCommands(opened)
  const closeMetrics = await openMetricsPort(opened)
  onEndSignal({
    watchesParent,
    endAtOnce: () => process.exit(1),
    end: async () => {
      const showStopped = showStopping()
      await end()
      closeCommands()
      await closeMetrics()
      showStopped()
      process.exit(0)
    },
  })
  const summary = await summaryOf(opened)
  opened.log.flush()
  announce(summary, Date.now() - since)
}

/** Opens the socket for the command line on SQLite, where only this process writes to the database. */
async function openCommands(opened: Resources): Promise<() => void> {
  const { config, log } = opened
  if (config.database.kind !== 'sqlite') return () => {}
  const ports = commandPorts(opened)
  return openCommandSocket(commandSocketOf(config.database.file), {
    run: command => runCommand(ports, command),
    onFailure: error => log.failure(error, { chore: 'command_line' }),
  })
}

/** Opens the port for metrics, if there is one, and begins to send them. Returns the function that ends both. */
async function openMetricsPort({ config, metrics, log }: Resources): Promise<() => Promise<void>> {
  if (config.metrics === null || metrics === null) return async () => {}
  const server = await listenForMetrics(config.metrics, metrics.read)
  const endExport = await exportTo(config, { read: metrics.samples, log })
  return async () => {
    server?.close()
    await endExport()
  }
}
