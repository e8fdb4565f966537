/** Remembers what each step of the start last ran on, so that it runs again only when that changed. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// NOTE: `import.meta.dirname` came with Node 20.11
export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const stamps = join(root, '.latchkey')

/** One hash over files and folders; tests do not count. */
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

/** Makes Node read `.env`, if there is one. What the environment itself says counts before the file. */
export function environmentFile(folder = root) {
  const file = join(folder, '.env')
  return existsSync(file) ? [`--env-file=${file}`] : []
}

/** What the step `name` last ran on; `null` when it never did. */
export function readStamp(name) {
  const file = join(stamps, `${name}.stamp`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Before a step runs: one that breaks off leaves nothing that counts. */
export function removeStamp(name) {
  rmSync(join(stamps, `${name}.stamp`), { force: true })
}

export function writeStamp(name, value) {
  if (readStamp(name) === value) return
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, `${name}.stamp`), value)
}
