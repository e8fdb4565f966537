/** Measures the cost of a purge for requests that are answered at the same time. */

import { generateLoad } from './load-generator.ts'
import { machineRequest } from './machines.ts'
import type { Table } from './report.ts'
import type { BenchServer } from './servers.ts'
import { median, quantile } from './statistics.ts'
import { inTurn } from './steps.ts'
import { countExpired, expireRows } from './stored-tokens.ts'

const rows = 10_000
const connections = 16
const secondsBefore = 15
/** The time to wait for a purge, which begins each minute and can take minutes. */
const mostSeconds = 240

type Second = { readonly count: number; readonly milliseconds: readonly number[]; readonly left: number }

/** Issues reference tokens while a server deletes expired rows, and compares that with the seconds before. */
export async function measurePurge({ origin, file }: BenchServer): Promise<Table> {
  if (file === null) throw new Error('The purge is measured on SQLite.')
  const operations = inTurn([machineRequest('machine-reference')])
  const second = async (): Promise<Second> => {
    const { milliseconds, seconds } = await generateLoad({ origin, operations, connections, seconds: 1 })
    return { count: milliseconds.length / seconds, milliseconds, left: countExpired(file) }
  }
  await second()
  expireRows(file, rows)
  const all: Second[] = []
  while (all.length < mostSeconds && all.at(-1)?.left !== 0) all.push(await second())
  const begun = all.findIndex(({ left }) => left < rows)
  if (begun < 1 || all.at(-1)?.left !== 0) throw new Error('There was no whole purge.')
  const row = (name: string, seconds: readonly Second[]) => {
    const milliseconds = seconds.flatMap(each => each.milliseconds)
    return [
      name,
      median(seconds.map(({ count }) => count)).toFixed(0),
      quantile(milliseconds, 0.5).toFixed(1),
      quantile(milliseconds, 0.99).toFixed(1),
      String(seconds.length),
    ]
  }
  return {
    head: [`purge of ${rows} rows, reference tokens issued`, 'per second', 'p50, ms', 'p99, ms', 'seconds'],
    rows: [
      row('without', all.slice(Math.max(0, begun - secondsBefore), begun)),
      row('during', all.slice(begun)),
    ],
  }
}
