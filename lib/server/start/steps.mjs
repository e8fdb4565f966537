/** The slow steps of a start: each prints one line if it takes more than a second. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './bootstrap-stamps.mjs'

/**
 * Shows the progress of `work`, even if it fails.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(title, work) {
  const end = showProgress(title)
  try {
    return await work()
  } finally {
    end()
  }
}

/**
 * Shows the progress until the returned function is called. On a terminal one line is rewritten every second; elsewhere
 * it is written in two parts.
 * @param {string} title
 * @returns {() => void}
 */
function showProgress(title) {
  const startedAt = Date.now()
  const isTerminal = process.stdout.isTTY === true
  let isShown = false
  const seconds = digits => `${((Date.now() - startedAt) / 1000).toFixed(digits)} s`
  const tick = setInterval(() => {
    if (isTerminal) process.stdout.write(`\r  ${title} … ${seconds(0)}`)
    else if (!isShown) process.stdout.write(`  ${title} … `)
    isShown = true
  }, 1000)
  return () => {
    clearInterval(tick)
    if (isShown) process.stdout.write(isTerminal ? `\r  ${title}: ${seconds(1)}    \n` : `${seconds(1)}\n`)
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** The time that a step has to end after a signal. */
const patienceMs = 3000
const isWindows = process.platform === 'win32'

/** Runs a command. If it fails, prints its output and ends the start. */
export async function step(title, command, given, options = {}) {
  const stdio = ['ignore', 'pipe', 'pipe']
  // Registered before the child exists: a signal in between would end only the start
  const signalOf = passSignals(() => child)
  // A separate process group, so that a signal reaches all children of the step
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

/** Ends the start with a message. */
export function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/**
 * Forwards signals to the step, because an npm that continues to run would write during the next start. Returns a
 * function that stops forwarding and returns the received signal, or `null`.
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
  // The step was not started
  if (child.pid === undefined) return
  try {
    if (isWindows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
