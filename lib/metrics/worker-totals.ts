/**
 * The metrics of all workers of a node, in its primary process. Counts of workers that have ended remain in the sums, so that no
 * counter goes back.
 */
import { metrics as limits } from '#lib/config/limits.ts'
import { metricNames, metricRow } from './catalog.ts'
import type { LabeledSample } from './prometheus-text.ts'
import { createRegistry, linesOfWorker, type Sample } from './registry.ts'

export type WorkerTotals = {
  /** Replaces the values of a worker by newer ones. Late values of a worker that has ended are ignored. */
  readonly receive: (worker: number, samples: readonly Sample[]) => void
  /** Keeps the counts of a worker that has ended, up to the last ones that it sent. */
  readonly end: (worker: number) => void
  /** Returns the series of the node, with those that `own` adds. */
  readonly read: (own: readonly Sample[]) => readonly LabeledSample[]
}

/** States, which end with the last worker that has them. Counts keep their series, so that none moves to another. */
const gauges = metricNames.filter(name => metricRow(name).kind === 'gauge')

export function createWorkerTotals(workers: number): WorkerTotals {
  const total = createRegistry(limits.series - linesOfWorker * workers)
  const ended = createRegistry(limits.possibleSeries)
  const latest = new Map<number, readonly Sample[]>()
  const endedWorkers = new Set<number>()
  return {
    receive: (worker, samples) => {
      if (!endedWorkers.has(worker)) latest.set(worker, samples)
    },
    end: worker => {
      endedWorkers.add(worker)
      const counts = (latest.get(worker) ?? []).filter(({ name }) => isCount(name))
      latest.delete(worker)
      for (const sample of counts) addTo(ended, sample)
    },
    read: own => {
      total.clear()
      for (const name of gauges) total.drop(name)
      const added = [ended.read(), own, ...latest.values()].flat()
      for (const sample of added) if (!isPerWorker(sample.name)) addTo(total, sample)
      const each = [...latest].flatMap(([worker, samples]) =>
        samples
          .filter(({ name }) => isPerWorker(name))
          .map(sample => ({ ...sample, worker: String(worker) })),
      )
      return [...total.read(), ...each]
    },
  }
}

type Total = ReturnType<typeof createRegistry>

function addTo(total: Total, { name, labels, values }: Sample): void {
  const slot = total.find(name, labels)
  for (const [place, value] of values.entries()) total.add(slot + place, value)
}

function isPerWorker(name: Sample['name']): boolean {
  return metricRow(name).perWorker === true
}

/** Whether the values of ended workers are added: counts are, and states such as waiting messages are not. */
function isCount(name: Sample['name']): boolean {
  return metricRow(name).kind !== 'gauge' && !isPerWorker(name)
}
