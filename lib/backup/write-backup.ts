/** Writes a backup file. It gets its name only when it is complete and on the disk. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backups } from '#lib/config/limits.ts'
import { type BackupHeader, countChunks, firstLine, headerLine, macOf } from './backup-format.ts'
import { type ChunkKey, encryptChunk } from './chunk-cipher.ts'

export type BackupContent = {
  readonly header: BackupHeader
  /** The file with the data. */
  readonly data: string
  /** The key of the encryption; `null`: the data is not encrypted. */
  readonly chunkKey: Buffer | null
  readonly masterKey: Buffer
}

/** Writes a file that only this account can read. Leaves nothing behind if it fails. */
export async function writeBackup(target: string, content: BackupContent): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.part`)
  try {
    await writeSynced(draft, handle => writeContent(handle, content))
    await rename(draft, target)
    await syncFolder(dirname(target))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Creates a file with 0600, and resolves when it is on the disk. */
export async function writeSynced(file: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await write(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a rename durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeContent(
  handle: FileHandle,
  { header, data, chunkKey, masterKey }: BackupContent,
): Promise<void> {
  const hash = createHash('sha256')
  const write = async (bytes: Buffer) => {
    hash.update(bytes)
    await handle.writeFile(bytes)
  }
  const head = Buffer.concat([Buffer.from(firstLine), headerLine(header)])
  await write(head)
  const sealedWith = chunkKey && { key: chunkKey, associatedData: head }
  await eachChunk(data, header.bytes, (chunk, position) => write(sealed(sealedWith, chunk, position)))
  const digest = hash.digest()
  await handle.writeFile(Buffer.concat([digest, macOf(masterKey, digest)]))
}

type Position = { readonly index: number; readonly isLast: boolean }

function sealed(chunkKey: ChunkKey | null, chunk: Buffer, position: Position): Buffer {
  return chunkKey === null ? chunk : encryptChunk(chunkKey, chunk, position)
}

async function eachChunk(
  file: string,
  bytes: number,
  use: (chunk: Buffer, position: Position) => Promise<void>,
): Promise<void> {
  const handle = await open(file, 'r')
  const count = countChunks(bytes)
  try {
    for (let index = 0; index < count; index += 1) {
      const start = index * backups.chunkBytes
      const chunk = await readExactly(handle, start, Math.min(backups.chunkBytes, bytes - start))
      await use(chunk, { index, isLast: index === count - 1 })
    }
  } finally {
    await handle.close()
  }
}

/** Reads a part of a file. Throws if the file is shorter. */
export async function readExactly(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) throw new Error('The file has become shorter while it was read.')
    filled += bytesRead
  }
  return bytes
}
