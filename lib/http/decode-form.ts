/** Strict `application/x-www-form-urlencoded`: what cannot be decoded exactly is refused, not repaired. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ReasonFor } from '#lib/errors/reasons.ts'

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>

const mostParameters = 200

/** @throws OauthError `invalid_request` for broken percent-encoding, bytes that are not UTF-8, NUL, or too many names */
export function decodeForm(text: string): Pairs {
  return splitForm(text).map(decodePair)
}

/** Its parameters, still encoded. @throws OauthError `invalid_request` when they are too many */
export function splitForm(text: string): readonly string[] {
  const parts = text.split('&', mostParameters + 1).filter(part => part !== '')
  if (parts.length > mostParameters) throw malformed('too_many_parameters', 'There are too many parameters.')
  return parts
}

/** The reverse, with `%20` for spaces: every decoder reads that the same way. */
export function encodeForm(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

/** One of them. @throws OauthError `invalid_request` as `decodeForm` */
export function decodePair(part: string): readonly [string, string] {
  const cut = part.indexOf('=')
  if (cut === -1) return [decodeText(part), '']
  return [decodeText(part.slice(0, cut)), decodeText(part.slice(cut + 1))]
}

function decodeText(text: string): string {
  const decoded = decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  if (decoded.includes('\u0000')) throw malformed('nul_character', 'A parameter contains a NUL character.')
  return decoded
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw malformed('bad_encoding', 'A parameter is not valid percent-encoded UTF-8.')
  }
}

function malformed(reason: ReasonFor<'invalid_request'>, description: string): OauthError {
  return new OauthError(reason, { description })
}
