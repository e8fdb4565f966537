/** Reads a form body as text, never more than a limit (TK-01, FW-04, LIM-02). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'

const formType = 'application/x-www-form-urlencoded'

/**
 * The body of a form post; empty when there is none.
 * @throws OauthError `unsupported_media_type` for another content type, charset or encoding; `content_too_large`,
 *   `request_timeout`, or `invalid_request` for a body that ends early or is not UTF-8
 */
export function readBody(request: Request, maxBytes: number): Promise<string> {
  return readTextBody(request, formType, maxBytes)
}

/** The same for another media type. */
export async function readTextBody(request: Request, wanted: string, maxBytes: number): Promise<string> {
  const type = request.headers.get('content-type')
  const difference = mediaTypeDifference(request, type, wanted)
  if (difference !== null) throw new OauthError(difference.reason, { description: difference.description })
  const text = await readText(request, maxBytes).catch(reportIncomplete)
  if (type === null && text !== '')
    throw new OauthError('content_type_missing', { description: `Send ${wanted}.` })
  if (text.includes('\ufffd')) throw malformed('bad_encoding', 'The body is not valid UTF-8.')
  return text
}

export function isForm(request: Request): boolean {
  return mediaType(request.headers.get('content-type') ?? '') === formType
}

type Difference = { readonly reason: ReasonFor<'unsupported_media_type'>; readonly description: string }

/** How the headers of the body differ from what is wanted. */
function mediaTypeDifference({ headers }: Request, type: string | null, wanted: string): Difference | null {
  if (type !== null && mediaType(type) !== wanted)
    return { reason: 'content_type', description: `Send ${wanted}.` }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return { reason: 'charset', description: 'Send it as UTF-8.' }
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return { reason: 'content_encoding', description: 'Send the body uncompressed.' }
  return null
}

function mediaType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}

/** NOTE: comparing the declared length and reading the whole body is twice as fast as counting the stream. */
async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (declared === null) return readStream(request, maxBytes)
  if (!(Number(declared) <= maxBytes)) throw tooLarge()
  return request.text()
}

async function readStream(request: Request, maxBytes: number): Promise<string> {
  const reader = request.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.byteLength
    if (bytes > maxBytes) throw tooLarge()
    text += decoder.decode(chunk.value, { stream: true })
  }
  return text + decoder.decode()
}

/** The caller has disconnected or is too slow, which is not an internal error. */
function reportIncomplete(error: unknown): never {
  const code = codeOf(error)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') throw new OauthError('body_timeout')
  if (!/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+|ABORT_ERR)$/.test(code)) throw error
  throw malformed('body_incomplete', 'The body ended early.')
}

/** NOTE: the hosts hand on the connection's error, or wrap it. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if ('name' in error && error.name === 'AbortError') return 'ABORT_ERR'
  return 'cause' in error ? codeOf(error.cause) : ''
}

function tooLarge(): OauthError {
  return new OauthError('body_too_large')
}

function malformed(reason: ReasonFor<'invalid_request'>, description: string): OauthError {
  return new OauthError(reason, { description })
}
