/**
 * `npm run package -- FOLDER [ARCHIVES]`: writes a root file system that contains the built server, its Node and nothing else
 * that runs: no shell, and no package manager. The Dockerfile calls this, and so does the drill that starts it without a
 * container engine. With ARCHIVES it also writes an archive, the list of its parts, an image and their
 * digests into that folder.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from '../../lib/server/start/bootstrap-stamps.mjs'
import { stop } from '../../lib/server/start/steps.mjs'
import { listAppFiles } from './app-files.mjs'
import { writeArchives } from './archive.mjs'
import { copyFiles } from './copy-app.mjs'
import { billOfMaterials, billPlace, systemComponents } from './sbom.mjs'
import { writeSystemFiles } from './system-files.mjs'

/** The time of all files, so that two builds are equal: seconds since the epoch. */
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? 0)
/** The modes of folders that are not for everyone to read only. */
const ownModes = { data: 0o700, tmp: 0o1777 }

const [folder, archives] = process.argv.slice(2)
if (folder === undefined)
  stop('Usage: npm run package -- FOLDER [ARCHIVES], where FOLDER does not exist yet or is empty.')
const target = resolve(folder)
if (existsSync(target) && readdirSync(target).length > 0) stop(`${target} is not empty.`)
if (process.platform !== 'linux') stop('A package can be made only on Linux.')

mkdirSync(target, { recursive: true })
const controls = writeSystemFiles(target)
mkdirSync(join(target, 'usr/bin'), { recursive: true })
copyFileSync(process.execPath, join(target, 'usr/bin/node'))
const appFiles = await listAppFiles(root)
copyFiles({ root, files: appFiles, target: join(target, 'app') })
await writeBill()
report(settleModes())
if (archives !== undefined) await archive(resolve(archives))

async function writeBill() {
  const systemParts = systemComponents(controls)
  const bill = await billOfMaterials({ root, files: appFiles, systemParts, seconds })
  const place = join(target, billPlace)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, `${JSON.stringify(bill, null, 2)}\n`)
}

/** Gives all files the same time, and modes that depend on no umask. Returns the size of each. */
function settleModes() {
  const names = ['', ...readdirSync(target, { recursive: true })]
  return names.map(name => {
    const path = join(target, name)
    const found = lstatSync(path)
    const isProgram = found.isDirectory() || (found.mode & 0o100) !== 0
    if (!found.isSymbolicLink()) chmodSync(path, ownModes[name] ?? (isProgram ? 0o755 : 0o644))
    lutimesSync(path, seconds, seconds)
    return found.isFile() ? found.size : 0
  })
}

function report(sizes) {
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  process.stdout.write(`${target}: ${sizes.length} files, ${Math.round(bytes / 1e6)} MB\n`)
}

async function archive(into) {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = await writeArchives({
    target,
    folder: into,
    name: `latchkey-${version}-linux-${process.arch}`,
    seconds,
    dockerfile: readFileSync(join(root, 'Dockerfile'), 'utf8'),
    labels: {
      'org.opencontainers.image.title': 'Latchkey',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': license,
    },
  })
  process.stdout.write(`${file}: ${Math.round(lstatSync(file).size / 1e6)} MB\n`)
}
