/** Makes texts and errors safe for a log line: likely secrets redacted, control characters escaped, length limited. */
import { handlePrefixes } from '#lib/protocol/ids.ts'

const longest = 500
/** Secrets are found in this many characters, so that one across the end of the line is found as well. */
const longestRead = 4 * longest
/** The number of characters of a cut last word that may be the first part of a secret. */
const longestPart = 64

/** The prefixes of handles and generated secrets. */
const marks = [...Object.values(handlePrefixes).map(prefix => prefix.slice(0, -1)), 'lks']

/**
 * Patterns of handles and generated secrets, and of credentials in a header, in the parameters of a form or query, and
 * in a URL. Their kind stays readable, their value does not.
 */
const secrets: ReadonlyArray<readonly [RegExp, string]> = [
  // At least one capital letter or hyphen: without one it is a reason such as code_challenge_method_not_s256
  [new RegExp(`\\b(${marks.join('|')})_(?=[a-z0-9_]*[A-Z-])[A-Za-z0-9_-]{24,}`, 'g'), '$1_[redacted]'],
  [/\b(Basic|Bearer)\s+[A-Za-z0-9+/=._~-]{4,}/gi, '$1 [redacted]'],
  [
    /\b(password|client_secret|code_verifier|access_token|refresh_token|id_token|token|code)=[^&\s]+/gi,
    '$1=[redacted]',
  ],
  [/\b(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:[redacted]@'],
]

/** Whether `redact` and `escapeControls` would not change the text, which is true of most words of a log line. */
function isHarmless(text: string): boolean {
  return text.length <= 18 && /^[\w.:-]*$/.test(text) && !text.includes('eyJ')
}

/**
 * Returns `text` redacted and cut to 500 characters. Then control and direction characters are escaped, which can make
 * it longer.
 */
export function safeText(text: string): string {
  if (isHarmless(text)) return text
  const redacted = redact(text.slice(0, longestRead))
  const seen = text.length > longestRead ? `${withoutCutSecret(redacted)}…` : redacted
  return escapeControls(seen.length > longest ? `${seen.slice(0, longest)}…` : seen)
}

/** Replaces texts that look like a token, code, password or credential. */
function redact(text: string): string {
  const withoutJwts = text.includes('eyJ') ? text.replace(/[\w.-]+/g, withoutJwt) : text
  return secrets.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    withoutJwts,
  )
}

/** Redacts a word from a compact JWT on: a header of at least 11 characters, and a period. */
function withoutJwt(word: string): string {
  let start = 0
  for (const part of word.split('.').slice(0, -1)) {
    const at = part.search(/\beyJ/)
    if (at >= 0 && part.length - at >= 11) return `${word.slice(0, start + at)}jwt_[redacted]`
    start += part.length + 1
  }
  return word
}

/** Redacts the password of a URL at the end of a cut text, else removes the last word: it may be the first part of a secret. */
function withoutCutSecret(text: string): string {
  const withoutPassword = text.replace(/\b(\w+:\/\/[^\s:/@]*):[^\s@/]*$/, '$1:[redacted]')
  if (withoutPassword.endsWith('[redacted]')) return withoutPassword
  return withoutPassword.slice(
    0,
    Math.max(withoutPassword.lastIndexOf(' ') + 1, withoutPassword.length - longestPart),
  )
}

/** Escapes C0, C1, line and paragraph separators, and the marks that change the direction of text (LG-02). */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, character => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}

/** The parts of an error that the log contains. */
type DescribedError = {
  readonly name: string
  readonly code: string | null
  readonly message: string
  readonly stack: readonly string[]
  readonly cause: DescribedError | null
}

const frames = 12
const causes = 3

/**
 * Describes an error: name, code, one redacted line of the message, and the stack; causes up to three deep. For a value
 * that is not an `Error`, only its type is named.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    return {
      name: typeof error,
      code: null,
      message: 'a non-Error value was thrown',
      stack: [],
      cause: null,
    }
  }
  return {
    name: safeText(error.name),
    code: codeOf(error),
    message: messageOf(error),
    stack: stackOf(error),
    cause: error.cause === undefined || depth >= causes ? null : describeError(error.cause, depth + 1),
  }
}

function codeOf(error: Error): string | null {
  return 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
    ? safeText(String(error.code))
    : null
}

/**
 * Returns the first line of the message, or the last one if the error is of Prisma, which prints the arguments of a
 * failed query before the cause.
 */
function messageOf(error: Error): string {
  const lines = error.message
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return safeText((error.name.startsWith('Prisma') ? lines.at(-1) : lines.at(0)) ?? '')
}

function stackOf(error: Error): readonly string[] {
  const lines = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return lines.slice(0, frames).map(line => safeText(line.trim()))
}
