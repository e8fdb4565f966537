/**
 * `npm start` on any Node from 20 up, with nothing installed: brings the checkout to a state in which the server can
 * run, then becomes the server, on the Node that the lock file names. Each step runs only when its inputs changed.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { hashOf, readStamp, root, writeStamp } from './bootstrap-stamps.mjs'

const isWindows = process.platform === 'win32'
const lowestNode = [24, 7]
const isDevelopment = process.argv.includes('--dev')

process.chdir(root)
await installDependencies()
const node = findNode()
await generateClients(node)
if (!isDevelopment) await buildPages(node)
// `npm test` stops here
if (process.argv.includes('--prepare')) process.exit(0)
becomeServer(node)

async function installDependencies() {
  const lock = hashOf(['package-lock.json'])
  if (isInstalled(lock)) return writeStamp('dependencies', lock)
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
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  if (readStamp('dependencies') === lock) return true
  return statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** The pinned Node from `node_modules`, linked by hand where npm did not; else this one, if it is new enough. */
function findNode() {
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const pinned = join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(pinned)) {
    linkNode(pinned)
    return pinned
  }
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > lowestNode[0] || (major === lowestNode[0] && minor >= lowestNode[1])) return process.execPath
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

async function generateClients(node) {
  const inputs = hashOf([
    'package-lock.json',
    'prisma/schema.prisma',
    'prisma/postgres/schema.prisma',
    'prisma/generate.mjs',
  ])
  if (readStamp('clients') === inputs && existsSync('prisma/generated')) return
  await step('Generating database clients', node, ['prisma/generate.mjs'])
  writeStamp('clients', inputs)
}

async function buildPages(node) {
  const inputs = hashOf([
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    'next.config.ts',
    'instrumentation.ts',
    'proxy.ts',
    'app',
    'lib',
    'public',
    'prisma/schema.prisma',
  ])
  if (readStamp('pages') === inputs && existsSync('.next/BUILD_ID')) return
  const environment = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await step('Building pages', node, ['node_modules/next/dist/bin/next', 'build'], { env: environment })
  writeStamp('pages', inputs)
}

/** Runs one command. It is quiet unless it fails; after a second people learn what they wait for. */
async function step(title, command, given, options = {}) {
  const startedAt = Date.now()
  const slow = setTimeout(() => process.stdout.write(`  ${title} …\n`), 1000)
  const child = spawn(command, given, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const output = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  const code = await new Promise(done => {
    child.once('error', error => done(error.message))
    child.once('close', done)
  })
  clearTimeout(slow)
  const seconds = (Date.now() - startedAt) / 1000
  if (code !== 0) stop(`${title} failed (${code}):\n${Buffer.concat(output).toString()}`)
  if (seconds >= 1) process.stdout.write(`  ${title}: ${seconds.toFixed(1)} s\n`)
}

/** Replaces this process where Node can, so that signals need no forwarding; else stays as a thin parent. */
function becomeServer(node) {
  const watch = process.env.npm_lifecycle_event === undefined ? [] : ['--watch-parent']
  const given = ['lib/server/main.ts', ...process.argv.slice(2), ...watch]
  const environment = {
    ...process.env,
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // Compiled code and types stripped once: a third off the next start
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.latchkey/compile-cache'),
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

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
