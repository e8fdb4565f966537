/** Opens the traces of a process. The code for them is loaded only if there are traces. */
import type { Config } from '#lib/config/env.ts'
import type { Log } from '#lib/events/log.ts'
import type { Traces } from '../telemetry/open-traces.ts'
import { workerNumber } from '../workers/node-process.ts'

/** Returns `null` if no traces are sent. */
export async function openTracesOf(
  { telemetry: settings }: Config,
  log: Pick<Log, 'write'>,
): Promise<Traces | null> {
  const sampling = settings?.traces ?? null
  if (settings === null || sampling === null) return null
  const { openTraces } = await import('../telemetry/open-traces.ts')
  return openTraces({ settings, sampling, log, worker: workerNumber() })
}
