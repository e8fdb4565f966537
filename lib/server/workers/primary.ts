/**
 * The primary process of a node with several workers. It owns the port, the signals and standard output, starts the
 * workers and replaces those that end. It does not open the database and does not answer requests.
 * docs/decisions/091-worker-processes.md
 */
import cluster, { type Worker } from 'node:cluster'
import type { Config } from '#lib/config/env.ts'
import { workers as limits } from '#lib/config/limits.ts'
import { createLog } from '#lib/events/log.ts'
import { onEndSignal, showStopping } from '../start/drain.ts'
import { declareRunning } from '../start/running.mjs'
import { announce, type Summary } from '../start/summary-box.ts'
import type { FromWorker } from './messages.ts'
import { openNodeMetrics } from './node-metrics.ts'
import { onTerminal, preparingWorker } from './node-process.ts'
import { createSharedOutput, type SharedOutput } from './shared-output.ts'
import { createDeathCount, createTeam, type Team, type WorkerProcess } from './team.ts'

type Node = {
  readonly config: Config
  readonly workers: number
  /** The time when the start began, in milliseconds since the epoch. */
  readonly since: number
  readonly watchesParent: boolean
}

/** The phase of the node. In `starting`, until all workers serve, a worker that ends also ends the start. */
type Phase = 'starting' | 'serving' | 'ending'

const isTerminal = process.stdout.isTTY === true

export async function runPrimary({ config, workers: wanted, since, watchesParent }: Node): Promise<void> {
  declareRunning()
  const output = createSharedOutput(1)
  const log = createLog({ level: config.logLevel, pretty: isTerminal, destination: output })
  const silent = new Set<number>()
  const team = createTeam(wanted, worker => {
    silent.add(worker)
    log.write('error', 'worker_silent', { worker })
  })
  const metrics = await openNodeMetrics(config, { wanted, serving: team.countServing, log })
  const isOneTooMany = createDeathCount()
  const ending = createEnding({ output, team, close: metrics.close })
  const environment: Record<string, string> = { LATCHKEY_WORKERS: String(wanted) }
  let phase: Phase = 'starting'
  let summary: Summary | null = null

  const startWorker = (...given: readonly string[]) => {
    const worker = forkWorker(given, environment)
    ending.awaitEnd(worker)
    if (worker.process.stdout !== null) output.add(worker.process.stdout)
    const controlled = controlsOf(worker)
    team.add(controlled)
    worker.on('message', (message: FromWorker) => hear(controlled, message))
    log.write('info', 'worker_started', { worker: worker.id, pid: worker.process.pid })
  }

  function hear(worker: WorkerProcess, message: FromWorker): void {
    team.answered(worker.id)
    metrics.hear(worker, message)
    if (message.kind === 'prepared') {
      environment.LATCHKEY_DEMO = String(message.isDemo)
      for (let count = 1; count < wanted; count += 1) startWorker()
    }
    if (message.kind !== 'serving') return
    team.serves(worker.id)
    summary ??= message.summary
    if (phase !== 'starting' || summary === null || !team.isComplete()) return
    phase = 'serving'
    announce(summary, Date.now() - since)
  }

  function end(code: number): void {
    const isShown = phase === 'serving'
    phase = 'ending'
    ending.begin(code, isShown)
  }

  cluster.on('exit', ({ id }, code, signal) => {
    team.remove(id)
    if (phase === 'ending') return
    if (phase === 'starting') return end(code || 1)
    log.write('error', 'worker_ended', { worker: id, code, signal })
    metrics.end(id)
    team.awaitReplacement({ worker: id, code, signal, wasSilent: silent.delete(id) })
    if (!isOneTooMany(performance.now())) return startWorker()
    log.write('fatal', 'node_ends', { workers: limits.deaths, withinMs: limits.deathsWithinMs })
    end(1)
  })
  onEndSignal({ end: () => end(0), endAtOnce: () => ending.endAtOnce(), watchesParent })
  setInterval(team.ping, limits.pingEveryMs)
  startWorker(preparingWorker)
}

function controlsOf(worker: Worker): WorkerProcess {
  return {
    id: worker.id,
    send: message => void (worker.isConnected() && worker.send(message, () => {})),
    kill: () => worker.process.kill('SIGKILL'),
  }
}

function forkWorker(given: readonly string[], environment: Readonly<Record<string, string>>): Worker {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({
    args: [...given, ...(isTerminal ? [onTerminal] : [])],
    // The environment already contains the values of the file
    execArgv: process.execArgv.filter(each => !each.startsWith('--env-file')),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const worker = cluster.fork(environment)
  closeLostConnection(worker)
  return worker
}

/**
 * Closes a connection that was passed to a worker that then ended. NOTE: otherwise Node leaves the connection open, so
 * its client waits until its own time limit; and without a listener, the error of the undelivered message ends this
 * process.
 */
function closeLostConnection(worker: Worker): void {
  const child = worker.process
  let given: { readonly close?: () => void } | undefined
  child.send = new Proxy(child.send, {
    apply: (send, self, sent) => {
      const [, handle] = sent
      // Node passes the next connection after the worker has confirmed this one, so only the last one can be lost
      if (typeof handle === 'object' && handle !== null) given = handle
      return Reflect.apply(send, self, sent)
    },
  })
  worker.on('error', () => {})
  worker.once('exit', () => given?.close?.())
}

type EndingParts = {
  readonly output: SharedOutput
  readonly team: Pick<Team, 'drain' | 'kill'>
  /** Called when all workers have ended. */
  readonly close: () => Promise<void>
}

/** Ends this process when all workers have ended and their last lines are written. */
function createEnding({ output, team, close }: EndingParts) {
  const running = new Set<Promise<unknown>>()
  let exitCode = 0
  const killAll = () => {
    exitCode = 1
    team.kill()
  }
  return {
    awaitEnd: (worker: Worker) => {
      // `close` is emitted after the worker's output has ended
      const closed = new Promise(done => worker.process.once('close', done))
      running.add(closed)
      void closed.then(() => running.delete(closed))
    },
    endAtOnce: killAll,
    begin: async (code: number, isShown: boolean) => {
      exitCode = code
      const showStopped = isShown ? showStopping() : () => {}
      team.drain()
      setTimeout(killAll, limits.endMs).unref()
      await Promise.all(running)
      await close()
      output.flushSync()
      showStopped()
      process.exit(exitCode)
    },
  }
}
