/** The parts of a sentence, with owners in place of their labels, and the owners whose label it does not contain. */
type Linked<O> = { readonly parts: readonly (string | O)[]; readonly others: readonly O[] }

/** Splits a sentence at the first occurrence of each label. `others` are the owners whose label the sentence does not contain. */
export function linkNames<O extends { readonly label: string }>(
  sentence: string,
  owners: readonly O[],
): Linked<O> {
  let parts: readonly (string | O)[] = [sentence]
  const others: O[] = []
  for (const owner of owners) {
    const at = parts.findIndex(part => typeof part === 'string' && part.includes(owner.label))
    const text = parts[at]
    if (typeof text !== 'string') {
      others.push(owner)
      continue
    }
    const start = text.indexOf(owner.label)
    const around = [text.slice(0, start), owner, text.slice(start + owner.label.length)]
    parts = parts.toSpliced(at, 1, ...around).filter(part => part !== '')
  }
  return { parts, others }
}
