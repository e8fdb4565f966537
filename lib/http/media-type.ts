/** The content type of bodies: which is required, and which may be named in events. */
import { sent } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'

export const formType = 'application/x-www-form-urlencoded'

/**
 * Requires this type, in UTF-8 and uncompressed. A body without a type passes.
 * @throws OauthError `unsupported_media_type`
 */
export function requireMediaType({ headers }: Request, type: string | null, wanted: string): void {
  if (type !== null && mediaType(type) !== wanted)
    throw new OauthError('content_type', {
      description: `Send ${wanted}.`,
      evidence: sent(shownMediaType(type), [wanted]),
    })
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new OauthError('charset')
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw new OauthError('content_encoding')
}

/** The types that apps send by mistake. Only these are repeated in events: any other text is the caller’s. */
const shownMediaTypes: ReadonlySet<string> = new Set([
  formType,
  'application/json',
  'application/xml',
  'multipart/form-data',
  'text/plain',
  'text/xml',
])

function shownMediaType(type: string): string {
  const name = mediaType(type)
  return shownMediaTypes.has(name) ? name : 'another type'
}

export function mediaType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}
