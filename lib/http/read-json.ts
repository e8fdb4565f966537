/** Reads a JSON body: strictly, and never more than a limit. */
import { bodyBytes } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import { readTextBody } from './read-body.ts'

/**
 * `undefined` when there is none.
 * @throws OauthError `content_too_large`, `unsupported_media_type`, or `invalid_request` for a body that is not JSON
 */
export async function readJson(request: Request): Promise<JsonValue | undefined> {
  const text = await readTextBody(request, 'application/json', bodyBytes.admin)
  if (text === '') return undefined
  try {
    const parsed = parseStrictJson(text)
    if ('value' in parsed) return parsed.value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new OauthError('not_json')
  }
  throw new OauthError('repeated_key')
}
