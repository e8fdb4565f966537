/** The stylesheet of the hosted pages: compressed once, kept by browsers for as long as they like. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { hostedRoute } from '#app/_ui/hosted-route.ts'
import { errorReply } from '#lib/http/error-page.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { type Stylesheet, stylesheet } from '#lib/pages/stylesheet.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedRoute('/assets/[name]', {
  isFile: true,
  GET: exchange => {
    const { request, segments } = exchange
    return (
      stylesheetReply(segments.name ?? '', request.headers.get('accept-encoding')) ??
      errorReply(refusalFromCode('not_found'), exchange)
    )
  },
})

const encoders = { br: brotliCompressSync, gzip: gzipSync } as const
type Encoding = keyof typeof encoders

const compressed = new Map<string, Uint8Array<ArrayBuffer>>()

/**
 * `null` when `name` is not a stylesheet. A page of another version may still ask for that version's: it gets the
 * current one, and does not keep it.
 */
function stylesheetReply(name: string, acceptEncoding: string | null): Reply | null {
  if (!/^hosted-[0-9a-f]{12}\.css$/.test(name)) return null
  const current = stylesheet()
  const encoding = encodingFor(acceptEncoding ?? '')
  const isCurrent = name === current.name
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-store',
      vary: 'Accept-Encoding',
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    cookies: [],
    body: current.text,
    ...(encoding === null ? {} : { bytes: compressedOf(current, encoding) }),
  }
}

/** RFC 9110 12.5.3, without preferences among what is accepted: the smaller one. */
function encodingFor(accepted: string): Encoding | null {
  const accepts = (encoding: Encoding) =>
    new RegExp(`(^|,)\\s*${encoding}\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)`).test(accepted)
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}

function compressedOf({ name, text }: Stylesheet, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const key = `${name} ${encoding}`
  const kept = compressed.get(key)
  if (kept !== undefined) return kept
  const made = new Uint8Array(encoders[encoding](text))
  compressed.set(key, made)
  return made
}
