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
  const tar = join(folder, `${name}.tar`)
  writeTar({ target, tar, seconds })
  await pipeline(createReadStream(tar), createGzip({ level: 9 }), createWriteStream(archive))
  rmSync(tar)
  copyFileSync(join(target, billPlace), bill)
  const lines = await Promise.all(
    [archive, bill].map(async file => `${await digestOf(file)}  ${basename(file)}\n`),
  )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  return archive
}

/** Writes everything as root's, except the data folder: it is the server's. */
function writeTar({ target, tar, seconds }) {
  const shared = [
    `--file=${tar}`,
    `--directory=${target}`,
    '--numeric-owner',
    '--format=gnu',
    `--mtime=@${seconds}`,
  ]
  const all = ['--sort=name', '--owner=0', '--group=0', '--anchored', '--exclude=./data', '.']
  execFileSync('tar', ['--create', ...shared, ...all])
  const data = [`--owner=${account.id}`, `--group=${account.id}`, '--no-recursion', './data']
  execFileSync('tar', ['--append', ...shared, ...data])
}

async function digestOf(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
