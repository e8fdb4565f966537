/**
 * Runs expensive checks a few at a time. A flood of wrong passwords from some networks gets only a share of the
 * processors (decision 94).
 */
import { availableParallelism } from 'node:os'
import { checkFailures, checkQueue } from '#lib/config/limits.ts'
import { type NodeShare, shareOf } from '#lib/config/node-share.ts'
import { type CheckCaller, unknownCaller } from '#lib/ports/check-caller.ts'
import { createRecentlyUsed } from '../recently-used.ts'

export type CheckQueueLimits = {
  /** The maximum number of checks that run at the same time. */
  readonly inFlight: number
  readonly waiting: number
  /** A network is busy when its recent failures and its other checks in the queue add up to this number. */
  readonly busyFrom: number
}

export type CheckQueue = {
  /**
   * Runs `work` when it is its turn. `isFailure`: whether the result counts against the network. Throws the error of
   * `refuse` when too many checks wait, or when this one waited too long.
   */
  readonly run: <T>(
    caller: CheckCaller | undefined,
    work: () => Promise<T>,
    isFailure?: (result: T) => boolean,
  ) => Promise<T>
}

/** Measures a queue. */
export type QueueMeter = {
  /** Called once, with the function that returns the number of checks that wait or run. */
  readonly watch: (count: () => number) => void
  /** Called when a check begins, with the time that it waited. */
  readonly waited?: (milliseconds: number) => void
  readonly ran: (milliseconds: number) => void
  readonly refused: () => void
}

export type QueueParts = {
  readonly limits: CheckQueueLimits
  readonly failures: NetworkFailures
  readonly refuse: () => Error
  /** The share of this process in the lanes and processors of its node. */
  readonly share: NodeShare
  /** Absent if metrics are off. */
  readonly meter?: QueueMeter | undefined
}

/** The share of the only process of a node. */
export const wholeNode: NodeShare = { workers: 1, processors: availableParallelism() }

type Job = {
  readonly network: string
  readonly isKnown: boolean
  readonly arrival: number
  readonly start: () => void
  readonly refuse: () => void
}

export function createCheckQueue(parts: QueueParts): CheckQueue {
  const { failures, refuse, meter } = parts
  const lanes = createLanes(parts)
  meter?.watch(lanes.count)
  let arrivals = 0

  /** Waits for a free lane. */
  const enter = ({ network, isKnown }: CheckCaller) =>
    new Promise<Job>((resolve, reject) => {
      const timer = setTimeout(() => lanes.refuse(job), checkQueue.longestWaitMs).unref()
      arrivals += 1
      const job: Job = {
        network: network ?? '',
        isKnown,
        arrival: arrivals,
        start: () => {
          clearTimeout(timer)
          resolve(job)
        },
        refuse: () => {
          clearTimeout(timer)
          meter?.refused()
          reject(refuse())
        },
      }
      lanes.enter(job)
    })

  return {
    async run(caller = unknownCaller, work, isFailure = () => false) {
      const enteredAt = meter?.waited === undefined ? 0 : performance.now()
      const job = await enter(caller)
      const startedAt = performance.now()
      meter?.waited?.(startedAt - enteredAt)
      let failedAfterMs: number | null = null
      try {
        const result = await work()
        if (isFailure(result)) {
          failures.add(job.network)
          failedAfterMs = performance.now() - startedAt
        }
        return result
      } finally {
        meter?.ran(performance.now() - startedAt)
        lanes.leave(job, failedAfterMs)
      }
    },
  }
}

function createLanes({ limits, failures, share }: QueueParts) {
  // At least one lane for busy networks, and one for the others
  const allLanes = Math.max(2, shareOf(limits.inFlight, share))
  const mostWaiting = shareOf(limits.waiting, share)
  const busyProcessors = checkQueue.busyShare * share.processors
  const busyLanes = Math.min(Math.ceil(busyProcessors), allLanes - 1)
  const restFactor = Math.max(0, busyLanes / busyProcessors - 1)
  const [waiting, running] = [new Set<Job>(), new Set<Job>()]
  const present = createCounts()
  let resting = 0

  const isBusy = ({ network, isKnown }: Job): boolean =>
    !isKnown && failures.of(network) + present.of(network) - 1 >= limits.busyFrom
  const rankOf = (job: Job) => [
    job.isKnown ? 0 : isBusy(job) ? 2 : 1,
    failures.servedAt(job.network),
    job.arrival,
  ]
  /**
   * LIM-05: a full queue refuses the newest check of the network that has the most, and those of known callers last.
   */
  const loadOf = (job: Job) => [Number(job.isKnown), -present.of(job.network), -job.arrival]

  /**
   * Starts waiting checks. Those of busy networks share few lanes, including those that began before their network became
   * busy.
   */
  function startNext(): void {
    while (running.size < allLanes) {
      const isBusyLaneFree = [...running].filter(isBusy).length + resting < busyLanes
      const ready = [...waiting].filter(job => isBusyLaneFree || !isBusy(job))
      const job = least(ready, rankOf)
      if (job === null) return
      waiting.delete(job)
      running.add(job)
      failures.serve(job.network)
      job.start()
    }
  }

  function refuse(job: Job): void {
    if (!waiting.delete(job)) return
    present.add(job.network, -1)
    job.refuse()
  }

  function endRest(): void {
    resting -= 1
    startNext()
  }

  return {
    count: () => waiting.size + running.size,
    refuse,
    enter(job: Job): void {
      present.add(job.network, 1)
      waiting.add(job)
      startNext()
      const surplus = waiting.size > mostWaiting ? least([...waiting], loadOf) : null
      if (surplus !== null) refuse(surplus)
    },
    /** Ends a check. After a failed check of a busy network its lane pauses, so that others can use the processor. */
    leave(job: Job, failedAfterMs: number | null): void {
      const isResting = failedAfterMs !== null && isBusy(job)
      running.delete(job)
      present.add(job.network, -1)
      if (isResting) {
        resting += 1
        setTimeout(endRest, failedAfterMs * restFactor)
      }
      startNext()
    },
  }
}

/** Counts the waiting and running checks of each network. */
function createCounts() {
  const counts = new Map<string, number>()
  const of = (network: string) => counts.get(network) ?? 0
  return {
    of,
    add: (network: string, change: number): void => {
      const count = of(network) + change
      if (count > 0) counts.set(network, count)
      else counts.delete(network)
    },
  }
}

/** Returns the job with the lowest rank; ranks are compared number by number. */
function least(jobs: readonly Job[], rankOf: (job: Job) => readonly number[]): Job | null {
  let best: { readonly job: Job; readonly rank: readonly number[] } | null = null
  for (const job of jobs) {
    const rank = rankOf(job)
    if (best === null || isBefore(rank, best.rank)) best = { job, rank }
  }
  return best?.job ?? null
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((value, position) => value !== right[position])
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0)
}

/**
 * The failures of networks, which are forgotten gradually. `servedAt` is the position of a network's last check in
 * the order in which all checks started.
 */
export type NetworkFailures = {
  readonly of: (network: string) => number
  readonly add: (network: string) => void
  readonly serve: (network: string) => void
  readonly servedAt: (network: string) => number
}

type Known = { readonly failures: number; readonly at: number; readonly served: number }

export function createNetworkFailures(): NetworkFailures {
  const networks = createRecentlyUsed<Known>(checkFailures.networks)
  let served = 0
  const find = (network: string): Known => {
    const { failures, at, ...rest } = networks.find(network) ?? { failures: 0, at: 0, served: 0 }
    const now = performance.now()
    const forgotten = (now - at) / checkFailures.forgetOneMs
    return { ...rest, failures: Math.max(0, failures - forgotten), at: now }
  }
  return {
    of: network => find(network).failures,
    add: network => {
      const known = find(network)
      networks.put(network, { ...known, failures: Math.min(checkFailures.most, known.failures + 1) })
    },
    serve: network => {
      served += 1
      networks.put(network, { ...find(network), served })
    },
    servedAt: network => find(network).served,
  }
}
