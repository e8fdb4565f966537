/** One slow step of the start: quiet unless it fails or takes over a second. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './bootstrap-stamps.mjs'
import { withProgress } from './show-progress.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** How long a step may take to end itself. */
const patienceMs = 3000
const isWindows = process.platform === 'win32'

/** Runs a command. After a second people learn what they wait for; on a terminal the seconds count up in place. */
export async function step(title, command, given, options = {}) {
  const stdio = ['ignore', 'pipe', 'pipe']
  // Before the child exists, or a signal in between would end only the start
  const signalOf = passSignals(() => child)
  // A separate process group, so that a signal reaches all its children
  const child = spawn(command, given, { cwd: root, stdio, detached: !isWindows, ...options })
  const output = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  const ended = new Promise(done => {
    child.once('error', error => done(error.message))
    child.once('close', done)
  })
  const code = await withProgress(title, () => ended)
  const signal = signalOf()
  if (signal !== null) process.exit(128 + constants.signals[signal])
  if (code !== 0) stop(`${title} failed (${code}):\n${Buffer.concat(output).toString()}`)
}

/** Ends the start with a sentence. */
export function stop(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/**
 * Ending the start ends its step: an npm left behind would write during the next start. Returns a function that stops
 * forwarding signals and returns the received one.
 */
function passSignals(childOf) {
  let came = null
  const pass = signal => {
    came ??= signal
    kill(childOf(), signal)
    setTimeout(() => kill(childOf(), 'SIGKILL'), patienceMs)
  }
  for (const signal of signals) process.on(signal, pass)
  return () => {
    for (const signal of signals) process.off(signal, pass)
    return came
  }
}

function kill(child, signal) {
  // It could not be started
  if (child.pid === undefined) return
  try {
    if (isWindows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
