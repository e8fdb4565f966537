/** Checks of how the app wants the person to be asked (OpenID Connect Core 3.1.2.1). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import { parsePrompt } from '#lib/protocol/prompt.ts'
import { type Prompt, prompts } from '#lib/protocol/vocabulary.ts'
import type { ValidationInput } from './valid-request.ts'

/** Known words only, and `none` stands alone. */
export function readPrompts({ raw }: ValidationInput): readonly Prompt[] {
  const read = parsePrompt(raw.prompt ?? '')
  if (read === null) {
    throw new OauthError('invalid_request', 'prompt_unknown', `prompt may hold only: ${prompts.join(', ')}.`)
  }
  if (read.includes('none') && read.length > 1) {
    throw new OauthError(
      'invalid_request',
      'prompt_none_with_others',
      'prompt none cannot be combined with other values.',
    )
  }
  return read
}

/** A whole number of seconds, not negative. */
export function readMaxAge({ raw }: ValidationInput): number | null {
  if (raw.max_age === undefined) return null
  if (/^[0-9]{1,15}$/.test(raw.max_age)) return Number(raw.max_age)
  throw new OauthError(
    'invalid_request',
    'max_age_malformed',
    'max_age must be a whole number of seconds, not negative.',
  )
}
