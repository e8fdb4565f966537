/**
 * `npm run package:prove -- FOLDER`: starts the server of a package as a container would, without a container engine:
 * in its own root file system, which is read-only, as its own user and without privileges. Then asks it for a token, ends it, and
 * prints the figures. Exit code 1 if anything differs from what docs/container.md promises.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stop } from '../../lib/server/start/steps.mjs'
import { differingParts } from './prove-parts.mjs'
import { expect, freePort, provePages, proveToken, untilReady } from './questions.mjs'
import { account } from './system-files.mjs'

/** Milliseconds within which a container is ready, and within which it ends. */
const limits = { ready: 3000, end: 10_000 }
/** The mounts of a container: the package read-only, and two folders for what changes. The data folder is that of a volume of Kubernetes. */
const mounts = `
set -e
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t tmpfs -o uid=0,gid=$2,mode=2770 tmpfs "$1/data"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
folder="$1"
id="$2"
shift 2
cd "$folder"
exec setpriv --no-new-privs chroot --userspec="$id:$id" "$folder" /usr/bin/node /app/lib/server/latchkey.mjs "$@"
`

const [given] = process.argv.slice(2)
if (given === undefined) stop('Usage: npm run package:prove -- FOLDER, which `npm run package` has written.')
if (process.getuid?.() !== 0) stop('This needs root: it mounts the package, and changes to its user.')
const folder = resolve(given)
const problems = differingParts(folder)
if (problems.length > 0) stop(`The list of parts differs from the package:\n${problems.join('\n')}`)
const port = await freePort()
const origin = `http://localhost:${port}`

const startedAt = performance.now()
const server = run('start')
const output = collect(server)
const ended = once(server, 'exit')
try {
  await untilReady(origin, server)
  const readyAfter = Math.round(performance.now() - startedAt)
  await proveToken(origin)
  await proveWrites()
  await provePages(origin)
  const stoppedAt = performance.now()
  server.kill('SIGTERM')
  const [code] = await Promise.race([ended, wait(limits.end, ['none'], { ref: false })])
  const endedAfter = Math.round(performance.now() - stoppedAt)
  expect(code === 0, `SIGTERM ended the server with code ${code}`)
  expect(readyAfter < limits.ready, `the server was ready after ${readyAfter} ms`)
  process.stdout.write(`ready after ${readyAfter} ms, ended ${endedAfter} ms after SIGTERM\n`)
} catch (error) {
  await wait(200)
  process.stdout.write(`${output.text}\n`)
  throw error
} finally {
  if (server.exitCode === null) server.kill('SIGKILL')
}

function run(...verb) {
  const [name, id] = ['latchkey-package', String(account.id)]
  return spawn('unshare', ['--mount', 'sh', '-c', mounts, name, folder, id, ...verb], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: '/data', NODE_ENV: 'production' },
  })
}

/** Proves that the process has no privileges, and that it cannot change the program. */
async function proveWrites() {
  const status = execFileSync('cat', [`/proc/${server.pid}/status`], { encoding: 'utf8' })
  expect(/^CapEff:\s0+$/m.test(status), 'the server has capabilities')
  expect(new RegExp(`^Uid:\\s${account.id}\\s`, 'm').test(status), 'the server runs as a different user')
  expect(/^NoNewPrivs:\s1$/m.test(status), 'the server can get new privileges')
  const mounted = execFileSync('cat', [`/proc/${server.pid}/mountinfo`], { encoding: 'utf8' })
  expect(
    mounted.split('\n').some(line => / \/ ro,/.test(line)),
    'the root file system can be written to',
  )
}

function collect(child) {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', part => {
      output.text += part
    })
  return output
}
