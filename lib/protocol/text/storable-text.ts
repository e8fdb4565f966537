/** Finds texts that a database cannot store. */

/** An unstorable text, or the object with an unstorable name of a member. `problem`: the end of a sentence. */
export type UnstorableText = { readonly path: readonly (string | number)[]; readonly problem: string }

/**
 * Finds texts and names of members in a JSON value that have half of a surrogate pair or the character U+0000, which
 * PostgreSQL refuses, also as an escape in JSON.
 */
export function unstorableTexts(
  value: unknown,
  path: UnstorableText['path'] = [],
): readonly UnstorableText[] {
  if (typeof value === 'string') {
    const problem = problemOf(value)
    return problem === null ? [] : [{ path, problem }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const problem = problemOf(name)
    return problem === null
      ? unstorableTexts(member, [...path, Array.isArray(value) ? Number(name) : name])
      : [{ path, problem: `has a field whose name ${problem}` }]
  })
}

function problemOf(text: string): string | null {
  if (!text.isWellFormed()) return 'must be valid Unicode'
  return text.includes('\0') ? 'must not contain the character U+0000' : null
}
