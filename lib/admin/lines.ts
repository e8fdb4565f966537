/** The entries of a text with one per line; empty lines are ignored. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
}
