/**
 * `npm run package -- FOLDER`: writes a root file system that contains the built server, its Node and nothing else that
 * runs: no shell, and no package manager. The Dockerfile calls this, and so does the drill that starts it without a container engine.
 */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from '../../lib/server/start/bootstrap-stamps.mjs'
import { stop } from '../../lib/server/start/steps.mjs'
import { listAppFiles } from './app-files.mjs'
import { writeSystemFiles } from './system-files.mjs'

/** The time of all files, so that two builds are equal: seconds since the epoch. */
const time = Number(process.env.SOURCE_DATE_EPOCH ?? 0)

const [folder] = process.argv.slice(2)
if (folder === undefined) stop('Usage: npm run package -- FOLDER, which does not exist yet or is empty.')
const target = resolve(folder)
if (existsSync(target) && readdirSync(target).length > 0) stop(`${target} is not empty.`)
if (process.platform !== 'linux') stop('A package can be made only on Linux.')

mkdirSync(target, { recursive: true })
writeSystemFiles(target)
copy(process.execPath, join(target, 'usr/bin/node'))
for (const file of await listAppFiles(root)) copy(join(root, file), join(target, 'app', file))
const files = readdirSync(target, { recursive: true }).map(name => join(target, name))
for (const file of [...files, target]) lutimesSync(file, time, time)
const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0)
process.stdout.write(`${target}: ${files.length} files, ${Math.round(bytes / 1e6)} MB\n`)

function copy(source, destination) {
  mkdirSync(dirname(destination), { recursive: true })
  // Next finds some packages through links
  if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), destination)
  else copyFileSync(source, destination)
}

function sizeOf(file) {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? stats.size : 0
}
