import { type Prompt, prompts } from './vocabulary.ts'

/** Reads a `prompt` parameter, several words allowed (OpenID Connect Core 3.1.2.1). `null`: a word is unknown. */
export function parsePrompt(value: string): readonly Prompt[] | null {
  const words = [...new Set(value.split(' ').filter(word => word !== ''))]
  const known = prompts.filter(prompt => words.some(word => word === prompt))
  return known.length === words.length ? known : null
}
