/** Determines the number of processes for this machine, or for the part of it that a container gets. */
import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { workers as limits } from '#lib/config/limits.ts'

/**
 * Returns the number of whole processors that the process may use, within the quota of its control groups. NOTE: Node
 * ignores a quota below one processor, so the files are read here.
 */
export function usableProcessors(system = '/'): number {
  return Math.max(1, Math.floor(Math.min(availableParallelism(), processorQuota(system))))
}

type Machine = {
  readonly processors: number
  readonly memoryBytes: number
  /** The number of database connections for all workers together. */
  readonly connections: number
}

export function automaticWorkers({ processors, memoryBytes, connections }: Machine): number {
  const { mostAutomatic, megabytesBeside, megabytesEach, fewestConnections } = limits
  const forMemory = (memoryBytes / 1e6 - megabytesBeside) / megabytesEach
  const most = Math.min(mostAutomatic, processors, forMemory, connections / fewestConnections)
  return Math.max(1, Math.floor(most))
}

/** Returns the memory of the machine, or of the control group. */
export function usableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem()
}

/** Returns the quota in processors; infinite without a quota. The quotas of all groups above apply. */
export function processorQuota(system: string): number {
  const lines = read(join(system, 'proc/self/cgroup')).split('\n')
  const quotas = lines.flatMap(line => {
    const [, names = '', group = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (names === '') return groupsAbove(group).map(each => quotaOf(join(system, 'sys/fs/cgroup', each)))
    if (!names.split(',').includes('cpu')) return []
    return groupsAbove(group).map(each => oldQuotaOf(join(system, 'sys/fs/cgroup/cpu', each)))
  })
  return Math.min(Number.POSITIVE_INFINITY, ...quotas)
}

/** Returns a group and all groups above it, including `/`, because a container finds its own group there. */
function groupsAbove(group: string): readonly string[] {
  return group === '/' || group === '.' ? ['/'] : [group, ...groupsAbove(dirname(group))]
}

/** Reads the quota of control groups, version 2: `max 100000`, or microseconds in each period. */
function quotaOf(folder: string): number {
  const [quota, period] = read(join(folder, 'cpu.max')).trim().split(' ').map(Number)
  return ratioOf(quota, period)
}

/** Reads the quota of control groups, version 1; the file contains -1 without a quota. */
function oldQuotaOf(folder: string): number {
  const [quota, period] = ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map(name =>
    Number(read(join(folder, name)).trim()),
  )
  return ratioOf(quota, period)
}

function ratioOf(quota = 0, period = 0): number {
  return quota > 0 && period > 0 ? quota / period : Number.POSITIVE_INFINITY
}

/** Reads a file. Returns an empty text if it cannot be read, as on systems other than Linux. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
