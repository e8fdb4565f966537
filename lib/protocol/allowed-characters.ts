/** Saying of a text which of its characters may not stand in it. */

/** The message for a pattern of `allowed` characters: what may stand there, and the first that may not. */
export function onlyWith(allowed: RegExp, words: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => {
      const wrong = [...String(input)].find(character => !allowed.test(character))
      return wrong === undefined ? words : `${words}; ${shown(wrong)} is not allowed`
    },
  }
}

function shown(character: string): string {
  if (character === ' ') return 'a blank'
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `"${character}"`
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
