/** Reads processor time and memory of other processes from `/proc`, on Linux only. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The number of the last processor. The first one is for the servers, the others are for the load. */
const last = availableParallelism() - 1
const canPin = last > 0 && hasTaskset()

/** Describes how the processors are divided, for the report. */
export function divisionOf({ isShared }: { readonly isShared: boolean }): string {
  return canPin && !isShared
    ? 'the server under test has one processor, the load generator another'
    : 'the server under test and the load generator share the processors'
}

/** Runs what `start` starts on the first processor only; this process then continues on the others. */
export async function onFirstProcessor<R>(start: () => Promise<R>): Promise<R> {
  pin('0')
  try {
    return await start()
  } finally {
    leaveFirstProcessor()
  }
}

/** Moves this process, with all that it starts later, off the processor of the servers. */
export function leaveFirstProcessor(): void {
  pin(`1-${last}`)
}

/** Sets the processors of this thread. NOTE: a child process inherits them, and Node counts its processors only at its start. */
function pin(processors: string): void {
  if (canPin) execFileSync('taskset', ['--cpu-list', '--pid', processors, String(process.pid)])
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'])
    return true
  } catch {
    return false
  }
}

/** The processor time of all living threads of these processes since they began, in seconds. */
export function processorSeconds(...pids: readonly number[]): number {
  const nanoseconds = pids.flatMap(pid =>
    threadsOf(pid).map(thread => Number(contentsOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Reads a file of a process; empty if the process has ended, as those of PostgreSQL do at any moment. */
function contentsOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * The processor time of a process and its children in seconds, for example of PostgreSQL or of a server with workers. Children
 * that have ended are included.
 */
export function familySeconds(pid: number): number {
  const living = processorSeconds(...familyOf(pid))
  // Read last, so that a child that ends in the meantime is not missed
  return living + (statOf(pid)?.endedChildrenSeconds ?? 0)
}

/** The process IDs of a process and its living children. */
function familyOf(pid: number): readonly number[] {
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return [pid, ...all.map(Number).filter(each => statOf(each)?.parent === pid)]
}

/** The ID of the first process of the PostgreSQL server that listens on this port. */
export function postgresPid(port: string): number {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = pids.find(pid => {
    const [program = '', ...given] = commandOf(pid)
    return program.endsWith('/postgres') && given[given.indexOf('-p') + 1] === port
  })
  if (found === undefined) throw new Error(`No PostgreSQL server listens on port ${port}.`)
  return Number(found)
}

function commandOf(pid: string): readonly string[] {
  return contentsOf(`/proc/${pid}/cmdline`).split('\0')
}

const ticksPerSecond = 100

/** Reads the state of a process; null if it has ended. */
function statOf(pid: number): { readonly parent: number; readonly endedChildrenSeconds: number } | null {
  const stat = contentsOf(`/proc/${pid}/stat`)
  if (stat === '') return null
  // The second field is the name of the program in brackets, which may contain spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[13]) + Number(fields[14])
  return { parent: Number(fields[1]), endedChildrenSeconds: ticks / ticksPerSecond }
}

/** The resident memory of a process and its children, in megabytes (10⁶ bytes). */
export function residentMegabytes(pid: number): number {
  const kibibytes = familyOf(pid).map(each => {
    const [, resident = '0'] = /^VmRSS:\s*(\d+) kB$/m.exec(contentsOf(`/proc/${each}/status`)) ?? []
    return Number(resident)
  })
  return (kibibytes.reduce((sum, each) => sum + each, 0) * 1024) / 1e6
}
