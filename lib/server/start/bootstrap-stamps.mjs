/** Decides whether a step of the start must run again: because its input has changed, or its output is missing. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// NOTE: `import.meta.dirname` requires Node 20.11
export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const stamps = join(root, '.latchkey')
/** A umask that denies all permissions to other accounts. */
export const privateUmask = 0o077

/** Returns one hash of files and folders, without tests. */
export function hashOf(places) {
  const hash = createHash('sha256')
  for (const file of places.flatMap(filesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function filesUnder(place) {
  const full = join(root, place)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [place]
  const names = readdirSync(full, { recursive: true }).map(name => join(place, name))
  return names.filter(name => !name.endsWith('.test.ts') && statSync(join(root, name)).isFile()).sort()
}

/** Returns the flag that makes Node read `.env`, if the file exists. The environment has precedence. */
export function environmentFile(folder = root) {
  const file = join(folder, '.env')
  return existsSync(file) ? [`--env-file=${file}`] : []
}

/**
 * Returns the hash of a step's last input; `null` if the step was never completed, or if its last run was not.
 */
export function readStamp(name) {
  const file = join(stamps, `${name}.stamp`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Removes the stamp of a step. Called before the step, so that an interrupted step has none. */
export function removeStamp(name) {
  rmSync(join(stamps, `${name}.stamp`), { force: true })
}

export function writeStamp(name, value) {
  if (readStamp(name) === value) return
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, `${name}.stamp`), value)
}

/**
 * Whether every package that the server needs is installed. Without this check, a missing package would be reported as
 * an error inside a different one.
 */
export function hasDependencies(folder = root) {
  const { dependencies } = readJson(folder, 'package.json')
  const packages = Object.keys(dependencies).map(name => `node_modules/${name}/package.json`)
  return areThere(folder, ['node_modules/.package-lock.json', ...packages])
}

export function hasClients(folder = root) {
  const files = ['client.ts', 'models.ts', 'internal/class.ts']
  return ['sqlite', 'postgres'].every(kind => areThere(join(folder, 'prisma/generated', kind), files))
}

/**
 * Whether all files of the build exist. Next's lists name them: the files of its server, each page, and the script of
 * every page.
 */
export function hasPages(folder = root) {
  const build = join(folder, '.next')
  if (!areThere(build, lists)) return false
  try {
    const [{ files }, pages, { polyfillFiles, rootMainFiles, lowPriorityFiles }] = lists.map(list =>
      readJson(build, list),
    )
    return (
      areThere(folder, files) &&
      areThere(join(build, 'server'), Object.values(pages)) &&
      areThere(build, [...polyfillFiles, ...rootMainFiles, ...lowPriorityFiles])
    )
  } catch {
    // A list is missing or invalid
    return false
  }
}

const lists = ['required-server-files.json', 'server/app-paths-manifest.json', 'build-manifest.json']

function readJson(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

function areThere(folder, files) {
  return files.every(file => existsSync(join(folder, file)))
}
