/** Files in memory: compressed once, and not sent again to a browser that has them. */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { emptyReply, type Reply } from './reply.ts'

export type StaticFile = {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** The compressed forms, each made when a browser first asks for it. */
  readonly encoded: Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>
}

const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const
type Encoding = keyof typeof encoders

/** Makes a file. `type` is the value of `Content-Type`. */
export function staticFile(type: string, content: Uint8Array): StaticFile {
  const bytes = new Uint8Array(content)
  return { type, bytes, etag: `W/"${hash('sha256', bytes).slice(0, 16)}"`, encoded: new Map() }
}

export async function fileReply(
  file: StaticFile,
  { headers }: Request,
  cacheControl: string,
): Promise<Reply> {
  const encoding = isText(file) ? encodingFor(headers.get('accept-encoding') ?? '') : null
  const described = { 'cache-control': cacheControl, vary: 'Accept-Encoding', etag: file.etag }
  if (isKnown(headers.get('if-none-match'), file.etag)) return emptyReply(304, described)
  return {
    status: 200,
    headers: {
      'content-type': file.type,
      ...described,
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    cookies: [],
    body: null,
    bytes: encoding === null ? file.bytes : await encodedBytes(file, encoding),
  }
}

/** Whether compression helps: pictures in a binary format are already compressed. */
function isText({ type }: StaticFile): boolean {
  return /^text\/|\+(json|xml)\b/.test(type)
}

/** Whether the browser has this version (RFC 9110 13.1.2). */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch?.split(',').some(known => ['*', etag].includes(known.trim())) === true
}

/**
 * Returns the encoding for a browser (RFC 9110 12.5.3): the smallest that it accepts, regardless of its preferences.
 */
function encodingFor(accepted: string): Encoding | null {
  const accepts = (encoding: Encoding) =>
    new RegExp(`(^|,)\\s*${encoding}\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)`).test(accepted)
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}

/** Compresses on another thread, because the smallest form of a large script takes half a second. */
function encodedBytes({ bytes, encoded }: StaticFile, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const known = encoded.get(encoding)
  if (known !== undefined) return known
  const compressed = encoders[encoding](bytes).then(made => new Uint8Array(made))
  encoded.set(encoding, compressed)
  return compressed
}
