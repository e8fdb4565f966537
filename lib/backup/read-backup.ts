/** Reads a backup file: first checks that it is complete and unchanged, then returns its data. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { backups } from '#lib/config/limits.ts'
import { type MasterKeys, masterKeysOf } from '#lib/crypto/keys/master-key.ts'
import { keyIdOf } from '#lib/crypto/keys/sealing.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import {
  type BackupHeader,
  countChunks,
  digestBytes,
  firstLine,
  formatName,
  headerSchema,
  macOf,
  storedBytes,
  trailerBytes,
} from './backup-format.ts'
import { BackupProblem } from './backup-problem.ts'
import { type ChunkKey, decryptChunk, tagBytes } from './chunk-cipher.ts'
import { readExactly } from './write-backup.ts'

/** A checked file. `head`: the bytes before the data. */
export type OpenedBackup = {
  readonly file: string
  readonly handle: FileHandle
  readonly head: Buffer
  readonly header: BackupHeader
}

/** Opens a file and passes it to `use`. Throws a BackupProblem if it is not a complete backup of this form. */
export async function withBackup<R>(file: string, use: (opened: OpenedBackup) => Promise<R>): Promise<R> {
  const handle = await open(file, 'r').catch(error => {
    throw error.code === 'ENOENT' ? new ConfigError(`There is no file ${file}.`) : error
  })
  try {
    return await use({ file, handle, ...(await readHead(file, handle)) })
  } finally {
    await handle.close()
  }
}

async function readHead(file: string, handle: FileHandle): Promise<Pick<OpenedBackup, 'head' | 'header'>> {
  const { size } = await handle.stat()
  const start = await readExactly(handle, 0, Math.min(size, backups.headerBytes))
  if (!start.subarray(0, formatName.length + 1).equals(Buffer.from(`${formatName} `)))
    throw new BackupProblem(`${file} is not a backup of Latchkey.`)
  const [first, second] = lineEnds(start)
  if (first === undefined || second === undefined || size < second + trailerBytes)
    throw new BackupProblem(`The backup ${file} is cut off: it ends in its header.`)
  if (start.subarray(0, first).toString() !== firstLine) {
    await requireDigest(file, handle)
    throw new BackupProblem(`The backup ${file} was made by a newer release; restore it with that release.`)
  }
  const header = parseHeader(file, start.subarray(first, second).toString())
  const expected = second + storedBytes(header) + trailerBytes
  if (size < expected)
    throw new BackupProblem(`The backup ${file} is cut off: it has ${size} of ${expected} bytes.`)
  if (size > expected) throw damaged(file, `it has ${size} bytes instead of ${expected}`)
  return { head: start.subarray(0, second), header }
}

/** Returns the positions after the first two line breaks. */
function lineEnds(bytes: Buffer): readonly (number | undefined)[] {
  const first = bytes.indexOf('\n') + 1
  if (first === 0) return []
  const second = bytes.indexOf('\n', first) + 1
  return second === 0 ? [first] : [first, second]
}

function parseHeader(file: string, text: string): BackupHeader {
  try {
    return headerSchema.parse(JSON.parse(text))
  } catch {
    throw damaged(file, 'its header cannot be read')
  }
}

function damaged(file: string, detail: string): BackupProblem {
  return new BackupProblem(`The backup ${file} is damaged: ${detail}.`)
}

/** Checks the digest over the whole file, and that one of these master keys made the file. */
export async function requireUnchanged(
  { file, handle, header }: OpenedBackup,
  masterKeys: MasterKeys,
): Promise<void> {
  const { digest, mac } = await requireDigest(file, handle)
  const masterKey = masterKeysOf(masterKeys).find(({ bytes }) => keyIdOf(bytes) === header.keyId)
  if (masterKey === undefined) {
    throw new ConfigError(
      `The backup ${file} was made with a different master key; set MASTER_KEY to the key that the server had at ${header.createdAt}.`,
    )
  }
  if (!timingSafeEqual(mac, macOf(masterKey.bytes, digest)))
    throw new BackupProblem(`The backup ${file} was changed after it was made.`)
}

async function requireDigest(file: string, handle: FileHandle) {
  const hash = createHash('sha256')
  const { size } = await handle.stat()
  const end = size - trailerBytes
  for (let start = 0; start < end; start += backups.chunkBytes)
    hash.update(await readExactly(handle, start, Math.min(backups.chunkBytes, end - start)))
  const digest = hash.digest()
  const trailer = await readExactly(handle, end, trailerBytes)
  if (!digest.equals(trailer.subarray(0, digestBytes))) throw damaged(file, 'its digest is different')
  return { digest, mac: trailer.subarray(digestBytes) }
}

/** Reads the data of a checked file in order. `key`: of the encryption; throws a BackupProblem if it is wrong. */
export async function* readData(opened: OpenedBackup, key: Buffer | null): AsyncGenerator<Buffer> {
  const { handle, head, header } = opened
  const added = key === null ? 0 : tagBytes
  const end = head.length + storedBytes(header)
  const count = countChunks(header.bytes)
  for (let index = 0; index < count; index += 1) {
    const start = head.length + index * (backups.chunkBytes + added)
    const chunk = await readExactly(handle, start, Math.min(backups.chunkBytes + added, end - start))
    const position = { index, isLast: index === count - 1 }
    yield key === null ? chunk : opening({ key, associatedData: head }, chunk, position)
  }
}

function opening(key: ChunkKey, chunk: Buffer, position: Parameters<typeof decryptChunk>[2]): Buffer {
  try {
    return decryptChunk(key, chunk, position)
  } catch {
    // The digest and its HMAC are right, so the data is as it was written
    throw new BackupProblem('The passphrase is wrong.')
  }
}
