/** The servers that are compared: this checkout, a different one, or a different product. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../fixtures/free-port.ts'
import { newMasterKey, type StartOptions, startLatchkey } from '../fixtures/latchkey.ts'
import { replaceRsaKey } from '../fixtures/signing-key.ts'
import { onFirstProcessor, residentMegabytes } from './processor.ts'
import { benchConfiguration, type Site, signInUsers } from './site.ts'

export type BenchServer = Site & {
  readonly name: string
  readonly pid: number
  /** Has only the endpoints that are common to such products. */
  readonly isPeer: boolean
  /** After the start, before the first request. */
  readonly megabytesAfterStart: number
  readonly stop: () => Promise<unknown>
}

/** Time for garbage collection and whatever a start leaves for later. */
const settleMs = 2000

/** With an RS256 key of 2048 bits, as other products have. */
export async function startServer(name: string, checkout?: string): Promise<BenchServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const options: StartOptions = {
    port: await freePort(),
    configuration: benchConfiguration(),
    environment: { LOG_LEVEL: 'info', TRUST_PROXY: 'true', MASTER_KEY: newMasterKey() },
    dataDirectory,
    isQuiet: true,
    ...(checkout === undefined ? {} : { checkout }),
  }
  const first = await startLatchkey(options)
  await first.stop()
  await replaceRsaKey(first)
  const latchkey = await onFirstProcessor(() => startLatchkey(options))
  const pid = latchkey.process.pid ?? 0
  await delay(settleMs)
  const megabytesAfterStart = residentMegabytes(pid)
  return {
    name,
    origin: latchkey.origin,
    sessions: await signInUsers(latchkey.origin),
    pid,
    isPeer: false,
    megabytesAfterStart,
    stop: async () => {
      await latchkey.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
