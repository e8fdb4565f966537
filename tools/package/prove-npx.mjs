/**
 * `npm run package:npx`: makes the package of npm, and starts it with npx in an empty folder, as a user without a clone would.
 * Asks it for a token and for pages, ends it, starts it again with the same data, and prints the figures.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../lib/server/start/bootstrap-stamps.mjs'
import { expect, freePort, provePages, proveToken, untilGone, untilReady } from './questions.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-npx-'))
const work = join(folder, 'work')
mkdirSync(work)
const port = await freePort()
const origin = `http://localhost:${port}`
// The settings are in `.env` of the folder, as an operator would write them
writeFileSync(join(work, '.env'), `PORT=${port}\nLOG_LEVEL=warn\n`)
try {
  await ended(run(process.execPath, [join(root, 'tools/package/build-npm.mjs'), folder], root), 0)
  const [name] = readdirSync(folder).filter(file => file.endsWith('.tgz'))
  const first = await proveStart(`../${name}`)
  await ended(npx(`../${name}`, 'health'), 1)
  const second = await proveStart(`../${name}`)
  expect(readdirSync(work).sort().join() === '.env,data', `the folder has ${readdirSync(work)}`)
  expect(readdirSync(join(work, 'data')).includes('latchkey.db'), 'the folder data has no database')
  process.stdout.write(`installed, copied and ready after ${first} ms, started again after ${second} ms\n`)
} finally {
  rmSync(folder, { recursive: true })
}

/** Returns the milliseconds until the server was ready. */
async function proveStart(archive) {
  const startedAt = performance.now()
  const server = npx(archive)
  try {
    await untilReady(origin, server)
    const readyAfter = Math.round(performance.now() - startedAt)
    await ended(npx(archive, 'health'), 0)
    await proveToken(origin)
    await provePages(origin)
    server.kill('SIGTERM')
    await ended(server, 0, 143, 'SIGTERM')
    // npx can end before the server
    await untilGone(origin)
    return readyAfter
  } finally {
    server.kill('SIGKILL')
  }
}

function npx(archive, ...given) {
  return run('npx', ['--yes', archive, ...given], work)
}

function run(command, given, cwd) {
  // Another folder of npm and of copies, so that nothing of earlier runs is used
  const { npm_lifecycle_event: _, ...env } = process.env
  return spawn(command, given, {
    cwd,
    stdio: 'inherit',
    env: { ...env, npm_config_cache: join(folder, 'npm'), XDG_CACHE_HOME: join(folder, 'cache') },
  })
}

/** Waits until a process has ended, with one of the codes or signals. */
async function ended(child, ...codes) {
  const code = await new Promise(done => child.once('exit', (code, signal) => done(code ?? signal)))
  expect(codes.includes(code), `${child.spawnargs.join(' ')} ended with ${code}`)
}
