/** Writes a package as one archive, whose bytes depend only on the names, the contents and the modes of its files. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { billPlace } from './sbom.mjs'
import { account } from './system-files.mjs'

/**
 * Writes the archive, its list of parts and their digests into a folder. Returns the path of the archive.
 *
 * @param target the folder of the package.
 * @param folder where the three files are written.
 * @param name the name of the archive, without its ending.
 * @param seconds the time of all files, since the epoch.
 */
export async function writeArchive({ target, folder, name, seconds }) {
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, `${name}.tar.gz`)
  const bill = join(folder, `${name}.cdx.json`)
  // The data folder is the server's
  await writeCompressed({ folder: target, file: archive, seconds, owned: { path: './data', id: account.id } })
  copyFileSync(join(target, billPlace), bill)
  const lines = await Promise.all(
    [archive, bill].map(async file => `${await digestOf(file)}  ${basename(file)}\n`),
  )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  return archive
}

/**
 * Writes a compressed archive, in which everything belongs to root.
 *
 * @param folder where the names of the entries begin.
 * @param entry the file or folder that is written, with all that is in it.
 * @param owned a folder in it that belongs to another user.
 */
export async function writeCompressed({ folder, file, seconds, entry = '.', owned = null }) {
  const tar = `${file}.part`
  const shared = [
    `--file=${tar}`,
    `--directory=${folder}`,
    '--numeric-owner',
    '--format=gnu',
    `--mtime=@${seconds}`,
  ]
  const without = owned === null ? [] : ['--anchored', `--exclude=${owned.path}`]
  execFileSync('tar', ['--create', ...shared, '--sort=name', '--owner=0', '--group=0', ...without, entry])
  if (owned !== null)
    execFileSync('tar', [
      '--append',
      ...shared,
      `--owner=${owned.id}`,
      `--group=${owned.id}`,
      '--no-recursion',
      owned.path,
    ])
  await pipeline(createReadStream(tar), createGzip({ level: 9 }), createWriteStream(file))
  rmSync(tar)
}

async function digestOf(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
