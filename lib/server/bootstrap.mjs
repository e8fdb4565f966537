/**
 * `npm start` on any Node from 20 up, with nothing installed: brings the checkout to a state in which the server can
 * run, then becomes the server, on the Node that the lock file names. Each step runs only when its inputs changed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  environmentFile,
  hasClients,
  hasDependencies,
  hashOf,
  hasPages,
  readStamp,
  removeStamp,
  root,
  writeStamp,
} from './start/bootstrap-stamps.mjs'
import { findRunning } from './start/running.mjs'
import { step, stop } from './start/steps.mjs'

const isWindows = process.platform === 'win32'
const lowestNode = [24, 7]
const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > lowestNode[0] || (major === lowestNode[0] && minor >= lowestNode[1])
const packagedNode = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
const pinnedNode = join(root, 'node_modules', packagedNode, 'bin', isWindows ? 'node.exe' : 'node')
const isDevelopment = process.argv.includes('--dev')
/** Compiled code and types stripped once: a third off the next start. */
const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.latchkey/compile-cache'),
}
/** `npm test` stops when everything is built. */
const onlyPrepares = process.argv.includes('--prepare')
const startedAt = Date.now() - Math.round(performance.now())

process.chdir(root)
await installDependencies()
const node = findNode()
await buildViews(node)
const clients = clientInputs()
const pages = isDevelopment ? null : pageInputs()
if (clients !== null || pages !== null) {
  refuseWhileRunning('its files changed')
  if (!onlyPrepares) checkSettings(node)
  if (clients !== null) await generateClients(node, clients)
  if (pages !== null) await buildPages(node, pages)
}
if (onlyPrepares) process.exit(0)
becomeServer(node)

async function installDependencies() {
  const lock = hashOf(['package-lock.json'])
  if (isInstalled(lock)) return writeStamp('dependencies', lock)
  refuseWhileRunning('its dependencies changed')
  removeStamp('dependencies')
  const npm = process.env.npm_execpath
  const given = ['ci', '--ignore-scripts', '--loglevel=error']
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  await step('Installing dependencies', command, [...prefix, ...given], {
    shell: isWindows && command === 'npm',
  })
  writeStamp('dependencies', lock)
}

/** npm leaves its own lock in `node_modules`; one younger than ours means that somebody installed by hand. */
function isInstalled(lock) {
  if (!hasDependencies() || (!existsSync(pinnedNode) && !isNewEnough)) return false
  if (readStamp('dependencies') === lock) return true
  const installed = join(root, 'node_modules/.package-lock.json')
  return statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** The pinned Node from `node_modules`, linked by hand where npm did not; else this one, if it is new enough. */
function findNode() {
  if (existsSync(pinnedNode)) {
    linkNode(pinnedNode)
    return pinnedNode
  }
  if (isNewEnough) return process.execPath
  return stop(
    `Latchkey needs Node ${lowestNode.join('.')} or newer and there is no packaged one for ${process.platform} on ` +
      `${process.arch}; this is ${process.versions.node}. Install a newer Node from https://nodejs.org and start again.`,
  )
}

function linkNode(pinned) {
  const link = join(root, 'node_modules/.bin/node')
  if (isWindows || existsSync(link)) return
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(relative(dirname(link), pinned), link)
}

/** The components and the stylesheet of the hosted pages. */
async function buildViews(node) {
  const inputs = hashOf(['package-lock.json', 'lib/server/build-views.mjs', 'app', 'lib/pages'])
  if (readStamp('views') === inputs && existsSync('.latchkey/views/hosted.css')) return
  refuseWhileRunning('its files changed')
  removeStamp('views')
  await step('Compiling the hosted pages', node, ['lib/server/build-views.mjs'])
  writeStamp('views', inputs)
}

/** What the clients are generated from; `null` when they are there. */
function clientInputs() {
  const inputs = hashOf([
    'package-lock.json',
    'prisma/schema.prisma',
    'prisma/postgres/schema.prisma',
    'prisma/generate.mjs',
  ])
  return readStamp('clients') === inputs && hasClients() ? null : inputs
}

async function generateClients(node, inputs) {
  removeStamp('clients')
  // NOTE: into a folder that holds something else than a whole client Prisma writes nothing
  rmSync('prisma/generated', { recursive: true, force: true })
  await step('Generating database clients', node, ['prisma/generate.mjs'])
  writeStamp('clients', inputs)
}

/** What the pages are built from; `null` when they are there. */
function pageInputs() {
  const inputs = hashOf([
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    'next.config.ts',
    'instrumentation.ts',
    'app',
    'lib',
    'public',
    'prisma/schema.prisma',
  ])
  return readStamp('pages') === inputs && hasPages() ? null : inputs
}

async function buildPages(node, inputs) {
  removeStamp('pages')
  const environment = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await step('Building pages', node, ['node_modules/next/dist/bin/next', 'build'], { env: environment })
  writeStamp('pages', inputs)
}

/**
 * A wrong setting is told before a minute of building. With nothing to build the server itself tells it as fast.
 */
function checkSettings(node) {
  const run = spawnSync(node, [...environmentFile(), 'lib/server/main.ts', '--check-settings'], {
    stdio: 'inherit',
    env: { ...process.env, ...compileCache },
  })
  if (run.status !== 0) process.exit(run.status ?? 1)
}

function refuseWhileRunning(what) {
  const pid = findRunning()
  if (pid === null) return
  stop(`Latchkey is running from this folder (process ${pid}) and ${what}; stop it first, then start again.`)
}

/** Replaces this process where Node can, so that signals need no forwarding; else stays as a thin parent. */
function becomeServer(node) {
  const watch = process.env.npm_lifecycle_event === undefined ? [] : ['--watch-parent']
  const since = `--since=${startedAt}`
  const given = [...environmentFile(), 'lib/server/main.ts', since, ...process.argv.slice(2), ...watch]
  const environment = {
    ...process.env,
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // Node reads `next.config.ts`, so that Next does not load its compiler for it: 24 MB
    __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: 'true',
    ...compileCache,
  }
  if (typeof process.execve === 'function' && !isWindows) process.execve(node, [node, ...given], environment)
  const child = spawn(node, given, {
    cwd: root,
    env: environment,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', error => stop(`The server could not be started: ${error.message}`))
  child.once('exit', code => process.exit(code ?? 1))
}
