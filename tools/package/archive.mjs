/** Writes a package as archives, whose bytes depend only on the names, the contents and the modes of its files. */
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeImage } from './image.mjs'
import { billPlace } from './sbom.mjs'
import { account } from './system-files.mjs'
import { writeTar } from './tar.mjs'

/**
 * Writes an archive, its list of parts, an image and their digests into a folder. Returns the path of the archive.
 *
 * @param target the folder of the package.
 * @param folder where the files are written.
 * @param name the name of the files, without their endings.
 * @param seconds the time of all files, since the epoch.
 * @param dockerfile the text of the Dockerfile, whose settings the image has.
 * @param labels the labels of the image.
 */
export async function writeArchives({ target, folder, name, seconds, dockerfile, labels }) {
  mkdirSync(folder, { recursive: true })
  const [file, bill, image] = ['tar.gz', 'cdx.json', 'oci.tar'].map(ending =>
    join(folder, `${name}.${ending}`),
  )
  // The data folder is the server's
  const owned = { path: './data', id: account.id }
  const contentDigest = await writeCompressed({ folder: target, file, seconds, owned })
  const digest = await digestOf(file)
  copyFileSync(join(target, billPlace), bill)
  writeImage({ archive: { file, digest, contentDigest }, file: image, dockerfile, labels, seconds })
  const digests = [digest, await digestOf(bill), await digestOf(image)]
  const lines = [file, bill, image].map((path, index) => `${digests[index]}  ${basename(path)}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  return file
}

/** Writes the entries of `writeTar` as a compressed archive. Returns the digest of its content. */
export async function writeCompressed({ file, ...entries }) {
  const tar = `${file}.part`
  writeTar({ tar, ...entries })
  await pipeline(createReadStream(tar), createGzip({ level: 9 }), createWriteStream(file))
  const digest = await digestOf(tar)
  rmSync(tar)
  return digest
}

async function digestOf(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
