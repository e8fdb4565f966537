/** Measures the resident memory of a server under a mixture of all kinds of requests. */
import { setTimeout as delay } from 'node:timers/promises'
import { generateLoad } from './load-generator.ts'
import { prepareMixture } from './loads.ts'
import { residentMegabytes } from './processor.ts'
import type { BenchServer } from './servers.ts'

export type MemoryReading = { readonly requests: number; readonly megabytes: number }

const connections = 16
const settleMs = 3000

/** Reads the memory after the start, and after each step. A step sends this number of further requests. */
export async function measureMemory(
  server: BenchServer,
  steps: readonly number[],
): Promise<readonly MemoryReading[]> {
  const readings: MemoryReading[] = [{ requests: 0, megabytes: server.megabytesAfterStart }]
  const { origin, pid } = server
  const operations = await prepareMixture(server, server.isPeer)
  for (const requests of steps) {
    const result = await generateLoad({ origin, operations, connections, requests })
    await delay(settleMs)
    readings.push({ requests: result.requests, megabytes: residentMegabytes(pid) })
  }
  return readings
}
