/** The entries of a text that has one per line; empty lines are none. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
}
