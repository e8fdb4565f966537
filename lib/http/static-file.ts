/** Files that stay in memory: compressed once, and not sent again to a browser that has them. */
import { hash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { emptyReply, type Reply } from './reply.ts'

export type StaticFile = {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** Filled when a browser asks for the encoding. */
  readonly encoded: Map<Encoding, Uint8Array<ArrayBuffer>>
}

const encoders = { br: brotliCompressSync, gzip: gzipSync } as const
type Encoding = keyof typeof encoders

/** `type` is the value of `Content-Type`. */
export function staticFile(type: string, content: Uint8Array): StaticFile {
  const bytes = new Uint8Array(content)
  return { type, bytes, etag: `W/"${hash('sha256', bytes).slice(0, 16)}"`, encoded: new Map() }
}

export function fileReply(file: StaticFile, { headers }: Request, cacheControl: string): Reply {
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
    bytes: encoding === null ? file.bytes : encodedBytes(file, encoding),
  }
}

/** Pictures in a binary format are compressed already. */
function isText({ type }: StaticFile): boolean {
  return /^text\/|\+(json|xml)\b/.test(type)
}

/** RFC 9110 13.1.2. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch?.split(',').some(known => ['*', etag].includes(known.trim())) === true
}

/** RFC 9110 12.5.3, without preferences among what is accepted: the smaller one. */
function encodingFor(accepted: string): Encoding | null {
  const accepts = (encoding: Encoding) =>
    new RegExp(`(^|,)\\s*${encoding}\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)`).test(accepted)
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}

function encodedBytes({ bytes, encoded }: StaticFile, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const known = encoded.get(encoding)
  if (known !== undefined) return known
  const made = new Uint8Array(encoders[encoding](bytes))
  encoded.set(encoding, made)
  return made
}
