/** Measures the process itself: processor time, memory, and the event loop. */
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { metrics as limits } from '#lib/config/limits.ts'
import type { Registry } from './registry.ts'

/** Begins to measure, for as long as the process runs. */
export function measureProcess(registry: Registry): void {
  const loop = watchEventLoop()
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
