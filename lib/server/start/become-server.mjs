/** Replaces this process by the server. Runs on any Node from 20, with nothing installed. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { environmentFile, privateUmask, root } from './bootstrap-stamps.mjs'
import { stop } from './steps.mjs'

const isWindows = process.platform === 'win32'

/** The folder in which Node stores compiled code, without types: the next start is a third faster. */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.latchkey/compile-cache'),
}

/**
 * The memory limits of V8, unless `NODE_OPTIONS` sets them. Without them, the new space grows to 64 MB in each thread,
 * and the old space to four times the used memory before it is collected; figures in
 * docs/decisions/052-dashboard-on-demand.md.
 */
const flags = ['--max-semi-space-size=16', '--max-old-space-size=1024'].filter(
  flag => !process.env.NODE_OPTIONS?.includes(flag.split('=')[0]),
)

/**
 * Replaces this process if Node supports that, so that signals need no forwarding; otherwise forwards them.
 *
 * @param node the path of Node.
 * @param startedAt when the start began, in milliseconds since the epoch.
 * @param given further arguments of the server.
 * @param folder where `.env` is, and relative paths begin: the folder of the app by default.
 */
export function becomeServer({ node, startedAt, isDevelopment = false, given = [], folder = root }) {
  const program = join(root, 'lib/server/main.ts')
  const all = [...flags, ...environmentFile(folder), program, `--since=${startedAt}`, ...given]
  const environment = {
    ...process.env,
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ...(isDevelopment ? {} : nextConfig()),
    // With a fixed threshold glibc releases the memory of password hashes: 19 MB for each thread that ever hashed
    MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? '1048576',
    ...compileCache,
  }
  // Node creates the folder of compiled code before the server's first statement
  process.umask(privateUmask)
  become({ node, given: all, env: environment, folder })
}

/** Replaces this process by a command, which reads `.env` as the server does. */
export function becomeCommand({ node, program, given, folder = root }) {
  const reads = pathToFileURL(join(root, 'lib/server/read-environment-file.mjs')).href
  become({ node, given: ['--import', reads, join(root, program), ...given], env: process.env, folder })
}

/**
 * Gives Next the configuration with which it was built. Next would compile `next.config.ts` again, for which it loads its
 * compiler: 24 MB, and files that a package does not contain.
 */
function nextConfig() {
  const { config } = JSON.parse(readFileSync(join(root, '.next/required-server-files.json'), 'utf8'))
  return { __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(config) }
}

/** Runs a program in the place of this process. */
export function become({ node, given, env, folder }) {
  process.chdir(folder)
  if (typeof process.execve === 'function' && !isWindows) process.execve(node, [node, ...given], env)
  const child = spawn(node, given, { cwd: folder, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', error => stop(`The server could not be started: ${error.message}`))
  child.once('exit', code => process.exit(code ?? 1))
}
