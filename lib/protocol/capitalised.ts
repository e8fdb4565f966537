/** `may not` as it begins a sentence or a line: `May not`. */
export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
