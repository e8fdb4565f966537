/**
 * Reads the JSON export of another server row by row. The file is one object with a member for each table, whose value
 * is the list of its rows.
 */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { ConfigError } from '#lib/errors/config-error.ts'
import { createRowScanner, type ExportRow } from './row-scanner.ts'

/** Reads the rows of a file. Throws a ConfigError when the file cannot be read, or is not an object with lists. */
export async function* readExportFile(file: string): AsyncGenerator<ExportRow> {
  const scanner = createRowScanner(
    problem => new ConfigError(`The export ${file} cannot be read: ${problem}.`),
  )
  try {
    for await (const text of decodedParts(file)) yield* scanner.read(text)
  } catch (error) {
    throw readingError(file, error)
  }
  scanner.end()
}

function readingError(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return new ConfigError(`There is no file ${file}.`)
  if (code === 'EISDIR') return new ConfigError(`${file} is a folder; name the file in it.`)
  if (code === 'EACCES') return new ConfigError(`${file} cannot be read by the account of the server.`)
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new ConfigError(`The export ${file} is neither UTF-8 nor UTF-16; save it as UTF-8.`)
  return error
}

async function* decodedParts(file: string): AsyncGenerator<string> {
  await requireRegularFile(file)
  const decoder = new TextDecoder(await encodingOf(file), { fatal: true })
  for await (const bytes of createReadStream(file, { highWaterMark: 262_144 }))
    yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

/**
 * Refuses a file that is not a regular one. A folder is refused later, when it is read. NOTE: opening a pipe blocks a
 * thread of Node's thread pool until a process writes to the pipe; a few blocked threads stop a running server.
 */
export async function requireRegularFile(file: string): Promise<void> {
  const found = await stat(file)
  if (!found.isFile() && !found.isDirectory())
    throw new ConfigError(`${file} is not a regular file; save the export as a file.`)
}

/**
 * Recognizes the encoding. Tools of SQL Server write UTF-16, with or without a byte order mark: every second byte of
 * the first characters is zero.
 */
async function encodingOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    const start = buffer.subarray(0, bytesRead).toString('hex')
    if (/^(?:fffe|..00)$/.test(start)) return 'utf-16le'
    return /^(?:feff|00..)$/.test(start) ? 'utf-16be' : 'utf-8'
  } finally {
    await handle.close()
  }
}
