/**
 * The workers of a node from the view of the primary process: which of them serve, respond, and run the tasks of the
 * node.
 */
import { workers as limits } from '#lib/config/limits.ts'
import type { ToWorker, WorkerEnd } from './messages.ts'

/** A worker process. Messages that are sent after it has ended are lost. */
export type WorkerProcess = {
  readonly id: number
  readonly send: (message: ToWorker) => void
  readonly kill: () => void
}

type Member = {
  readonly worker: WorkerProcess
  /** Whether the worker answers requests. */
  isServing: boolean
  /** The number of pings since the last answer. */
  unanswered: number
}

export type Team = ReturnType<typeof createTeam>

/** Creates the team. `onSilent` is called with the number of a worker that is killed because it does not answer. */
export function createTeam(wanted: number, onSilent: (id: number) => void) {
  const members = new Map<number, Member>()
  let maintainer: Member | null = null
  let unrecorded: readonly WorkerEnd[] = []
  const serving = () => [...members.values()].filter(({ isServing }) => isServing)

  /** Appoints one worker that purges, rotates keys and verifies the audit chain for the node. */
  function appointMaintainer(): void {
    if (maintainer !== null) return
    maintainer = serving()[0] ?? null
    maintainer?.worker.send({ kind: 'maintain' })
  }

  function tellCounts(): void {
    const running = serving().length
    for (const { worker } of serving()) worker.send({ kind: 'ping', wanted, running })
  }

  return {
    add: (worker: WorkerProcess) => members.set(worker.id, { worker, isServing: false, unanswered: 0 }),
    serves: (id: number): void => {
      const member = members.get(id)
      if (member === undefined) return
      member.isServing = true
      appointMaintainer()
      tellCounts()
      for (const end of unrecorded) member.worker.send({ kind: 'replaces', end })
      unrecorded = []
    },
    /** Stores how a worker ended until the next worker serves, which records it: this process has no database. */
    awaitReplacement: (end: WorkerEnd): void => {
      unrecorded = [...unrecorded, end]
    },
    answered: (id: number): void => {
      const member = members.get(id)
      if (member !== undefined) member.unanswered = 0
    },
    remove: (id: number): void => {
      if (members.get(id) === maintainer) maintainer = null
      members.delete(id)
      appointMaintainer()
      tellCounts()
    },
    countServing: () => serving().length,
    isComplete: () => serving().length >= wanted,
    /**
     * Pings the workers that serve, and kills those that do not answer. NOTE: missed pings are counted and not time, so
     * that no worker is killed because the machine was asleep.
     */
    ping: (): void => {
      for (const member of serving()) {
        member.unanswered += 1
        if (member.unanswered <= limits.mostUnanswered) continue
        onSilent(member.worker.id)
        member.worker.kill()
      }
      tellCounts()
    },
    drain: (): void => {
      for (const { worker } of members.values()) worker.send({ kind: 'drain' })
    },
    kill: (): void => {
      for (const { worker } of members.values()) worker.kill()
    },
  }
}

/**
 * Returns a function that counts ended workers, and reports whether so many ended in a short time that a new
 * worker would not help. Times are in milliseconds.
 */
export function createDeathCount(): (now: number) => boolean {
  let deaths: readonly number[] = []
  return now => {
    deaths = [...deaths, now].filter(time => now - time < limits.deathsWithinMs)
    return deaths.length >= limits.deaths
  }
}
