#!/usr/bin/env node
/** The command `latchkey` of the package of npm. Runs on any Node from 20; settings, `.env` and data are in the current folder. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cacheFolder, copyApp } from './app-copy.mjs'

const lowestNode = [24, 7]
// NOTE: `import.meta.dirname` requires Node 20.11
const source = dirname(fileURLToPath(import.meta.url))
const { version, build } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))

try {
  const node = findNode()
  const app = copyApp({ source, folder: cacheFolder(process.env), name: `${version}-${build}` })
  const { become } = await import(pathToFileURL(join(app, 'lib/server/start/become-server.mjs')).href)
  const given = [join(app, 'lib/server/latchkey.mjs'), '--here', ...command(process.argv.slice(2))]
  become({ node, given, env: process.env, folder: process.cwd() })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

/** Returns the verb with its parameters. A server that npx has started ends with npx, which does not end it. */
function command([verb = 'start', ...rest]) {
  const isWatched = verb === 'start' && process.env.npm_lifecycle_event !== undefined
  return [verb, ...rest, ...(isWatched ? ['--watch-parent'] : [])]
}

/** Returns the Node that was installed with this package, or this one if it is new enough. */
function findNode() {
  const isWindows = process.platform === 'win32'
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const program = join('bin', isWindows ? 'node.exe' : 'node')
  const places = createRequire(import.meta.url).resolve.paths(name) ?? []
  const installed = places.map(place => join(place, name, program)).find(existsSync)
  if (installed !== undefined) return installed
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [lowest = 0, lowestMinor = 0] = lowestNode
  if (major > lowest || (major === lowest && minor >= lowestMinor)) return process.execPath
  throw new Error(
    `Latchkey needs Node ${lowestNode.join('.')} or newer; this is ${process.versions.node}. Install a newer Node from https://nodejs.org.`,
  )
}
