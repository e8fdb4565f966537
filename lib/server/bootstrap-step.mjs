/** One slow step of the start: quiet unless it fails or takes over a second. */
import { spawn } from 'node:child_process'
import { root } from './bootstrap-stamps.mjs'

/** Runs a command. After a second people learn what they wait for; on a terminal the seconds count up in place. */
export async function step(title, command, given, options = {}) {
  const endProgress = showProgress(title)
  const child = spawn(command, given, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const output = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  const code = await new Promise(done => {
    child.once('error', error => done(error.message))
    child.once('close', done)
  })
  endProgress()
  if (code !== 0) stop(`${title} failed (${code}):\n${Buffer.concat(output).toString()}`)
}

/** Ends the start with a sentence. */
export function stop(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** One line in all: on a terminal it is rewritten every second, elsewhere it is begun and later ended. */
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
