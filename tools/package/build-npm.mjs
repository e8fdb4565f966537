/**
 * `npm run package:npm -- FOLDER`: writes the package of npm, which contains the built app for all systems, into a folder.
 * npm installs only the Node of its system with it.
 */
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../../lib/server/start/bootstrap-stamps.mjs'
import { stop } from '../../lib/server/start/steps.mjs'
import { listAppFiles } from './app-files.mjs'
import { writeCompressed } from './archive.mjs'
import { copyFiles } from './copy-app.mjs'

const [given] = process.argv.slice(2)
if (given === undefined) stop('Usage: npm run package:npm -- FOLDER, into which the package is written.')
const { name, version, description, license, engines, optionalDependencies } = readJson('package.json')
const staged = mkdtempSync(join(tmpdir(), 'latchkey-npm-'))
try {
  const content = join(staged, 'package')
  await writeContent(content)
  mkdirSync(resolve(given), { recursive: true })
  const file = join(resolve(given), `${name}-${version}.tgz`)
  await writeCompressed({
    folder: staged,
    entry: 'package',
    file,
    seconds: Number(process.env.SOURCE_DATE_EPOCH ?? 0),
  })
  process.stdout.write(`${file}: ${Math.round(lstatSync(file).size / 1e6)} MB\n`)
} finally {
  rmSync(staged, { recursive: true })
}

async function writeContent(content) {
  const files = await listAppFiles(root, { isForAll: true })
  // npm leaves links out
  const isLink = file => lstatSync(join(root, file)).isSymbolicLink()
  const links = files.filter(isLink)
  copyFiles({ root, files: files.filter(file => !isLink(file)), target: join(content, 'app') })
  writeJson(
    join(content, 'links.json'),
    Object.fromEntries(links.map(file => [file, readlinkSync(join(root, file))])),
  )
  for (const file of ['latchkey.mjs', 'app-copy.mjs', 'README.md'])
    copyFileSync(join(root, 'tools/package/npx', file), join(content, file))
  copyFileSync(join(root, 'LICENSE'), join(content, 'LICENSE'))
  const build = readFileSync(join(root, '.next/BUILD_ID'), 'utf8')
  const own = { name, version, description, license, type: 'module', bin: { latchkey: 'latchkey.mjs' } }
  writeJson(join(content, 'package.json'), { ...own, build, engines, optionalDependencies })
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

function writeJson(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
