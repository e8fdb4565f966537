/**
 * The values of the metrics of a process. Each series has slots in one array, which its recorder finds once: recording is
 * an addition, without allocation. Their number is bounded, and further series are added up in one whose labels are all `_other`.
 */
import { metrics as limits } from '#lib/config/limits.ts'
import { type MetricName, metricNames, metricRow, otherValue } from './catalog.ts'

/**
 * A series with its values: one for a counter and a gauge; for a histogram the numbers of values in each class, not added up,
 * and then the sum of the values.
 */
export type Sample = {
  readonly name: MetricName
  /** The values of the labels, in the order of the catalog. */
  readonly labels: readonly string[]
  readonly values: readonly number[]
}

export type Registry = {
  /** Returns the first slot of a series, and creates the series at its first use. */
  readonly find: (name: MetricName, labels?: readonly string[]) => number
  readonly add: (slot: number, amount: number) => void
  readonly set: (slot: number, value: number) => void
  /** Adds a value to a series of the histogram. */
  readonly observe: (name: MetricName, slot: number, value: number) => void
  /** Calls the function before the values are read. */
  readonly beforeReading: (update: () => void) => void
  readonly read: () => readonly Sample[]
  /** Sets all values to 0. The series remain. */
  readonly clear: () => void
  /** Leaves the series of a metric out until each is found again, then with the value 0. Their slots are kept for them. */
  readonly drop: (name: MetricName) => void
}

type Series = Omit<Sample, 'values'> & { readonly slot: number; readonly slots: number }

export function createRegistry(mostLines: number = limits.series): Registry {
  const values = new Float64Array(mostLines)
  const all: Series[] = []
  const known = new Map<string, Series>()
  const dropped = new Set<Series>()
  const updates: (() => void)[] = []
  let used = 0
  let lines = 0

  function create(name: MetricName, labels: readonly string[]): Series {
    const slots = slotsOf(name)
    const series = { name, labels, slot: used, slots }
    used += slots
    lines += linesOf(name)
    all.push(series)
    known.set(keyOf(name, labels), series)
    return series
  }

  function find(name: MetricName, labels: readonly string[]): Series {
    const found = known.get(keyOf(name, labels))
    if (found !== undefined) {
      dropped.delete(found)
      return found
    }
    const others = labels.map(() => otherValue)
    const isOther = labels.every(label => label === otherValue)
    if (isOther || lines + linesOf(name) + reservedLines <= mostLines) return create(name, labels)
    return find(name, others)
  }

  return {
    find: (name, labels = []) => find(name, labels).slot,
    add: (slot, amount) => {
      values[slot] = (values[slot] ?? 0) + amount
    },
    set: (slot, value) => {
      values[slot] = value
    },
    observe: (name, slot, value) => observe(values, metricRow(name).bounds ?? [], { slot, value }),
    beforeReading: update => void updates.push(update),
    read: () => {
      for (const update of updates) update()
      return all
        .filter(series => !dropped.has(series))
        .map(({ name, labels, slot, slots }) => {
          return { name, labels, values: [...values.subarray(slot, slot + slots)] }
        })
    },
    clear: () => void values.fill(0),
    drop: name => {
      for (const series of all) {
        if (series.name !== name) continue
        values.fill(0, series.slot, series.slot + series.slots)
        dropped.add(series)
      }
    },
  }
}

/** Counts a value in its class, and adds it to the sum. */
function observe(
  values: Float64Array,
  bounds: readonly number[],
  { slot, value }: { readonly slot: number; readonly value: number },
): void {
  let place = 0
  while (place < bounds.length && value > (bounds[place] ?? 0)) place += 1
  values[slot + place] = (values[slot + place] ?? 0) + 1
  const sum = slot + bounds.length + 1
  values[sum] = (values[sum] ?? 0) + value
}

/** Returns the number of slots of a series. A histogram has one for each class, one above the last class, and the sum. */
function slotsOf(name: MetricName): number {
  const { bounds } = metricRow(name)
  return bounds === undefined ? 1 : bounds.length + 2
}

/** Returns the number of lines of a series: a histogram also has the number of all values. */
function linesOf(name: MetricName): number {
  return metricRow(name).bounds === undefined ? 1 : slotsOf(name) + 1
}

/** The lines of the series that are always possible: those without labels, and one of each other metric. */
const reservedLines = metricNames.reduce((sum, name) => sum + linesOf(name), 0)

/** The number of lines of the series that each worker has. */
export const linesOfWorker = metricNames
  .filter(name => metricRow(name).perWorker)
  .reduce((sum, name) => sum + linesOf(name) * (name === 'process.cpu.time' ? 2 : 1), 0)

function keyOf(name: MetricName, labels: readonly string[]): string {
  return `${name} ${labels.join('\u0000')}`
}
