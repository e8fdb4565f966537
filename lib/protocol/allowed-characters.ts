/** Messages that name the character of a text that is not allowed. */

/** The message for a pattern of `allowed` characters: those that are allowed, and the first that is not. */
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
