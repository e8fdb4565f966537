/**
 * Looks up passwords in a file of breached ones: a sorted list of SHA-1 hashes as Pwned Passwords has them, or the filter that
 * `breached-filter.ts` makes of one. The file can be larger than the memory: a look-up reads about thirty small parts of it.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { breachedPasswords as limits } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { readFilterHeader } from './filter-header.ts'

export type BreachedList = {
  /** Whether the list has the password. Reads only the file: the password is sent to no one. */
  readonly contains: (password: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

type SortedFile = {
  readonly start: number
  readonly end: number
  /** Returns the position in these bytes, which begin at `position` of the file, where a record begins; -1: nowhere. */
  readonly beginIn: (bytes: Buffer, position: number) => number
  /** Reads the record at the beginning of these bytes; `null` if it is not one. */
  readonly read: (bytes: Buffer) => SortedRecord | null
}

/** A record: its length in bytes, and its hash in hexadecimal, which a filter has only the start of. */
type SortedRecord = { readonly length: number; readonly hash: string }

/** Opens the file. Throws a ConfigError if it cannot be read, has another form, or is not sorted at the places that are checked. */
export async function openBreachedList(file: string): Promise<BreachedList> {
  const handle = await openFile(file)
  try {
    const sorted = await formOf(file, handle)
    await requireSorted(file, handle, sorted)
    return {
      contains: password => find(handle, sorted, sha1(password)),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r')
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    const problem = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    throw refusal(file, problem)
  }
  throw refusal(file, 'it is not a file')
}

function refusal(file: string, problem: string): ConfigError {
  return new ConfigError(`LATCHKEY_BREACHED_PASSWORDS is "${file}", but ${problem}.`)
}

function sha1(password: string): string {
  return createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
}

async function formOf(file: string, handle: FileHandle): Promise<SortedFile> {
  const { size } = await handle.stat()
  const header = readFilterHeader(await readAt(handle, 0, limits.headerBytes))
  if (header === null) return textFile(size)
  const { entryBytes, count } = header
  const end = limits.headerBytes + count * entryBytes
  if (size !== end) throw refusal(file, `it has ${size} bytes instead of ${end}; make the filter again`)
  return filterFile(entryBytes, end)
}

/** A line has all 40 digits, and the number of breaches after a colon, which may be missing. */
const line = /^([0-9A-Fa-f]{40})(?::\d{1,12})?\s*$/

function textFile(end: number): SortedFile {
  return {
    start: 0,
    end,
    beginIn: (bytes, position) => (position === 0 ? 0 : bytes.indexOf('\n') + 1 || -1),
    read: bytes => {
      const stop = bytes.indexOf('\n')
      const [, hash] = line.exec(bytes.toString('latin1', 0, stop === -1 ? undefined : stop)) ?? []
      const length = stop === -1 ? bytes.length : stop + 1
      return hash === undefined ? null : { length, hash: hash.toUpperCase() }
    },
  }
}

function filterFile(entryBytes: number, end: number): SortedFile {
  return {
    start: limits.headerBytes,
    end,
    beginIn: (_bytes, position) => (entryBytes - ((position - limits.headerBytes) % entryBytes)) % entryBytes,
    read: bytes => {
      const hash = bytes.toString('hex', 0, entryBytes).toUpperCase()
      return bytes.length < entryBytes ? null : { length: entryBytes, hash }
    },
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Divides the file until a small part is left, which is searched record by record. */
async function find(handle: FileHandle, file: SortedFile, hash: string): Promise<boolean> {
  let [low, high] = [file.start, file.end]
  while (high - low > limits.searchedBytes) {
    const found = await recordAfter(handle, file, Math.floor((low + high) / 2))
    if (found === null) throw new Error('The list of breached passwords was changed, or is damaged.')
    if (hash.startsWith(found.hash)) return true
    if (found.hash < hash) low = found.at
    else high = found.at
  }
  let bytes = await readAt(handle, low, high - low)
  while (bytes.length > 0) {
    const record = file.read(bytes)
    if (record === null) return false
    if (hash.startsWith(record.hash)) return true
    bytes = bytes.subarray(record.length)
  }
  return false
}

/** Returns the first record that begins at this position or later; `null` if there is none. */
async function recordAfter(handle: FileHandle, { beginIn, read }: SortedFile, position: number) {
  const bytes = await readAt(handle, position, limits.recordBytes)
  const begin = beginIn(bytes, position)
  const record = begin === -1 ? null : read(bytes.subarray(begin))
  return record && { at: position + begin, hash: record.hash }
}

/** Checks the form and the order at places that are evenly spread over the file. */
async function requireSorted(file: string, handle: FileHandle, sorted: SortedFile): Promise<void> {
  const { start, end } = sorted
  if (end === start) throw refusal(file, 'it is empty')
  let before = ''
  for (let sample = 0; sample < limits.samples; sample += 1) {
    const position = start + Math.floor(((end - start) * sample) / limits.samples)
    const found = await recordAfter(handle, sorted, position)
    // The last places of a short file can be within its last line
    if (found === null && sample > 0 && end - position <= limits.recordBytes) return
    if (found === null)
      throw refusal(
        file,
        `it has no SHA-1 hash after its byte ${position}; each line must be a hash of 40 hexadecimal digits, as Pwned Passwords orders them by hash`,
      )
    if (found.hash < before) throw refusal(file, `it is not sorted by hash near its byte ${position}`)
    before = found.hash
  }
}
