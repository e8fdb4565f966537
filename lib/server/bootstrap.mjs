/**
 * `npm start` on any Node from 20, with nothing installed: installs and builds whatever is missing or has changed, then
 * becomes the server.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { becomeServer, compileCache } from './start/become-server.mjs'
import {
  environmentFile,
  hasClients,
  hasDependencies,
  hashOf,
  hasPages,
  privateUmask,
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
/** Whether this process ends after the build. */
const onlyPrepares = process.argv.includes('--prepare')
const startedAt = Date.now() - Math.round(performance.now())

/** The build steps. A step runs again if its inputs changed, or if a part of its output is missing. */
const steps = [
  {
    name: 'views',
    title: 'Compiling the hosted pages',
    inputs: ['package-lock.json', 'lib/server/build-views.mjs', 'app', 'lib/pages', 'public/latchkey.css'],
    isBuilt: () =>
      ['hosted.css', 'passkeys.js', 'new-password.js'].every(file => existsSync(`.latchkey/views/${file}`)),
    command: ['lib/server/build-views.mjs'],
  },
  {
    name: 'clients',
    title: 'Generating database clients',
    inputs: [
      'package-lock.json',
      'prisma/schema.prisma',
      'prisma/postgres-schema.mjs',
      'prisma/generate.mjs',
    ],
    isBuilt: hasClients,
    // NOTE: Prisma writes nothing into a folder that contains anything else than a complete client
    obsolete: 'prisma/generated',
    command: ['prisma/generate.mjs'],
  },
  {
    name: 'pages',
    title: 'Building pages',
    inputs: [
      'package-lock.json',
      'package.json',
      'tsconfig.json',
      'next.config.ts',
      'instrumentation.ts',
      'app',
      'lib',
      'public',
      'prisma/schema.prisma',
    ],
    isBuilt: hasPages,
    command: ['node_modules/next/dist/bin/next', 'build'],
  },
]

process.chdir(root)
await installDependencies()
const node = findNode()
await build(steps.filter(({ name }) => !isDevelopment || name !== 'pages'))
if (onlyPrepares) process.exit(0)
const watch = process.env.npm_lifecycle_event === undefined ? [] : ['--watch-parent']
becomeServer({ node, startedAt, isDevelopment, given: [...process.argv.slice(2), ...watch] })

async function build(steps) {
  const due = steps
    .map(step => ({ ...step, stamp: hashOf(step.inputs) }))
    .filter(({ name, stamp, isBuilt }) => readStamp(name) !== stamp || !isBuilt())
  if (due.length === 0) return
  refuseWhileRunning('its files changed')
  if (!onlyPrepares) checkSettings()
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  for (const { name, title, stamp, obsolete, command } of due) {
    removeStamp(name)
    if (obsolete !== undefined) rmSync(obsolete, { recursive: true, force: true })
    // Next gives its build this name, so that two builds of the same files are equal
    await step(title, node, command, { env: { ...env, BUILD_NAME: stamp.slice(0, 20) } })
    writeStamp(name, stamp)
  }
}

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

/**
 * Whether the packages of the lock file are installed. npm writes its own lock file into `node_modules`; if that is
 * newer, the packages were installed by hand.
 */
function isInstalled(lock) {
  if (!hasDependencies() || (!existsSync(pinnedNode) && !isNewEnough)) return false
  if (readStamp('dependencies') === lock) return true
  const installed = join(root, 'node_modules/.package-lock.json')
  return statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/**
 * Returns the pinned Node of `node_modules`, and links it if npm did not; otherwise this Node. Ends the start if it is
 * too old.
 */
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

/**
 * Reports a wrong setting before a minute of building. NOTE: the umask is only for the check, because another account
 * than the server's may use the built files.
 */
function checkSettings() {
  const before = process.umask(privateUmask)
  const run = spawnSync(node, [...environmentFile(), 'lib/server/main.ts', '--check-settings'], {
    stdio: 'inherit',
    env: { ...process.env, ...compileCache },
  })
  process.umask(before)
  if (run.status !== 0) process.exit(run.status ?? 1)
}

function refuseWhileRunning(what) {
  const pid = findRunning()
  if (pid === null) return
  stop(`Latchkey is running from this folder (process ${pid}) and ${what}; stop it first, then start again.`)
}
