/** Recognises requests that a browser or framework makes ahead of any person's wish (AZ-28). */
import { OauthError } from '#lib/errors/oauth-error.ts'

const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** @throws OauthError `invalid_request`: a prefetch must neither create nor use up state. */
export function refusePrefetch(request: Request): void {
  if (isPrefetch(request.headers)) {
    throw new OauthError('prefetch')
  }
}

export function isPrefetch(headers: Headers): boolean {
  if (headers.has('next-router-prefetch')) return true
  return purposeHeaders.some(name => /\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ''))
}
