/** Lists the files of the built app that the server, its commands and the dashboard load. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

const require = createRequire(import.meta.url)
// Next carries the tracer with which it lists the files of its pages, so that both have the same version
const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft')
const { transform } = require('esbuild')

/** The programs that an operator starts, and the threads that they start by address. */
const programs = [
  'lib/server/latchkey.mjs',
  'lib/server/main.ts',
  'lib/server/cli/verify-audit.ts',
  'lib/server/read-environment-file.mjs',
  'instrumentation.ts',
  'next.config.ts',
]

/** Folders that are read by name, which no import shows. */
const folders = ['.next/server', '.next/static', '.latchkey/views', 'public', 'prisma/migrations', 'lib']

/** Files that are read by name. */
const files = ['package.json', 'LICENSE', 'prisma/schema.prisma']

/**
 * Places from which files can be in a package. NOTE: Next's traces contain all files of the clone, also untracked ones: without
 * this, a package would contain its data, keys and settings.
 */
const places =
  /^(?:(?:\.latchkey\/views|\.next|app|lib|node_modules|prisma|public)\/|(?:LICENSE|package\.json|instrumentation\.ts|next\.config\.ts)$)/

/** Folders of the sources, without what `prisma/generate.mjs` writes. In a clone, only files that git knows are shipped. */
const sources = /^(?:app|lib|public|prisma(?!\/generated\/))\//

/**
 * The sources by name. A copy without `.git`, as in a build of an image, has no list of files that git knows: there, these names
 * keep dumps, keys and notes of these folders out.
 */
const namedSources = [
  /^app\/.*\.(?:tsx?|css)$/,
  /^lib\/.*\.(?:tsx?|mjs)$/,
  /^prisma\/(?:schema\.prisma|[\w-]+\.(?:ts|mjs)|migrations\/(?:sqlite|postgresql)\/\d{14}_\w+\/migration\.sql)$/,
  /^public\/(?:enhance\.js|favicon\.ico|favicon\.svg|icon-maskable\.svg|manifest\.webmanifest|robots\.txt)$/,
]

/** Files of these places that the server never loads. */
const unneeded = [
  /\.(?:test\.tsx?|map|nft\.json|d\.ts|md|tsbuildinfo)$/,
  /^node_modules\/next\/.*\.dev\.js$/,
  /\/(?:testing|bench)\//,
  // Images are never optimized
  /^node_modules\/(?:@img|sharp)\//,
  /^node_modules\/better-sqlite3\/(?:src|deps)\//,
]

/** The modules for other systems. */
const otherSystems = new RegExp(
  `^node_modules/better-sqlite3/prebuilds/(?!${process.platform}-${process.arch}\\.)`,
)

/**
 * Returns the paths of the app's files, relative to `root`, sorted: for this system, or for all that have a module.
 * @throws if an import of a program cannot be resolved.
 */
export async function listAppFiles(root, { isForAll = false } = {}) {
  const commands = readdirSync(join(root, 'lib/server/cli')).filter(name => name.endsWith('-command.ts'))
  const traced = await trace(root, [...programs, ...commands.map(name => `lib/server/cli/${name}`)])
  const listed = folders.flatMap(folder => filesUnder(root, folder))
  const built = nextFiles(root)
  const modules = isForAll ? filesUnder(root, 'node_modules/better-sqlite3/prebuilds') : []
  const all = new Set([...traced, ...listed, ...built, ...modules, ...files])
  return withoutUntracked(root, [...all])
    .filter(file => isShipped(file) && (isForAll || !otherSystems.test(file)))
    .sort()
}

/** Whether a file, whose path is relative to the clone, can be in a package. */
export function isShipped(file) {
  return places.test(file) && isNamed(file) && !unneeded.some(pattern => pattern.test(file))
}

function isNamed(file) {
  return !sources.test(file) || namedSources.some(pattern => pattern.test(file))
}

/** Leaves out the files of the sources that git does not know, such as a draft of a module. A copy without `.git` has no such list. */
export function withoutUntracked(root, files) {
  if (!existsSync(join(root, '.git'))) return files
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }
  const tracked = new Set(execFileSync('git', ['ls-files', '-z'], options).split('\0'))
  return files.filter(file => !sources.test(file) || tracked.has(file))
}

async function trace(root, entries) {
  const options = { base: root, processCwd: root, readFile: readCompiled }
  const { fileList } = await nodeFileTrace(
    entries.map(entry => join(root, entry)),
    options,
  )
  return fileList
}

/** Reads a file for the tracer, which knows only JavaScript. Returns null if there is none. */
async function readCompiled(path) {
  if (!existsSync(path)) return null
  const loader = /\.(tsx?)$/.exec(path)?.[1]
  if (loader === undefined) return readFileSync(path)
  const { code } = await transform(readFileSync(path, 'utf8'), { loader, jsx: 'automatic', format: 'esm' })
  return code
}

/** Returns the files that Next lists: those of its server, and those of each page. */
function nextFiles(root) {
  const required = readJson(join(root, '.next/required-server-files.json')).files
  const lists = ['.next/next-server.js.nft.json', ...filesUnder(root, '.next/server')]
  return [
    ...required,
    ...lists
      .filter(file => file.endsWith('.nft.json'))
      .flatMap(list =>
        readJson(join(root, list)).files.map(file => relative(root, join(root, dirname(list), file))),
      ),
  ]
}

function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
