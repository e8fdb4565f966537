/** Measures the process itself: processor time, memory, garbage collections, and the event loop. */
import {
  constants,
  type EventLoopUtilization,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks'
import { metrics as limits } from '#lib/config/limits.ts'
import type { Registry } from './registry.ts'

/** Begins to measure, for as long as the process runs. */
export function measureProcess(registry: Registry): void {
  const loop = watchEventLoop()
  measureCollections(registry)
  const user = registry.find('process.cpu.time', ['user'])
  const system = registry.find('process.cpu.time', ['system'])
  const memory = registry.find('process.memory.usage')
  const uptime = registry.find('process.uptime')
  const delay = registry.find('nodejs.eventloop.delay.p99')
  const utilization = registry.find('nodejs.eventloop.utilization')
  registry.beforeReading(() => {
    const cpu = process.cpuUsage()
    registry.set(user, cpu.user / 1e6)
    registry.set(system, cpu.system / 1e6)
    registry.set(memory, process.memoryUsage.rss())
    registry.set(uptime, process.uptime())
    const measured = loop()
    registry.set(delay, measured.p99Seconds)
    registry.set(utilization, measured.utilization)
  })
}

const collectionTypes: ReadonlyMap<unknown, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])

function measureCollections(registry: Registry): void {
  const name = 'v8js.gc.duration'
  const slots = new Map([...collectionTypes].map(([kind, type]) => [kind, registry.find(name, [type])]))
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const slot = slots.get(kindOf(entry))
      if (slot !== undefined) registry.observe(name, slot, entry.duration / 1000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
}

/** Returns the kind of a collection. Node's types do not declare the detail of entries. */
function kindOf(entry: PerformanceEntry): unknown {
  const detail: unknown = Reflect.get(entry, 'detail')
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : null
}

/**
 * Returns a function that reads the event loop since the last but one beginning of a window, so that the values do not depend on how often
 * they are read.
 */
function watchEventLoop(): () => { readonly p99Seconds: number; readonly utilization: number } {
  const delays = monitorEventLoopDelay({ resolution: limits.eventLoopSampleMs })
  delays.enable()
  let previousP99 = 0
  let windowStart = performance.now()
  let started: EventLoopUtilization = performance.eventLoopUtilization()
  let before = started
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, before)
    const p99Seconds = Math.max(previousP99, delays.percentile(99) / 1e9)
    if (performance.now() - windowStart > limits.eventLoopWindowMs) {
      previousP99 = delays.percentile(99) / 1e9
      delays.reset()
      before = started
      started = current
      windowStart = performance.now()
    }
    return { p99Seconds, utilization }
  }
}
