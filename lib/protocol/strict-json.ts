/** JSON without repeated keys. Readers differ in which of two equal keys counts (RFC 8259 4), so neither may. */
import { jsonDepth } from '#lib/config/limits.ts'
import type { JsonValue } from './claims.ts'

/** The parsed value, or the first duplicate key of an object. Throws a SyntaxError for what is not JSON, or nested too deeply. */
export function parseStrictJson(
  text: string,
): { readonly value: JsonValue } | { readonly repeatedKey: string } {
  const value: JsonValue = JSON.parse(text)
  const repeatedKey = findRepeatedKey(text)
  return repeatedKey === null ? { value } : { repeatedKey }
}

/** Walks over strings and brackets of a text that is known to be JSON. */
function findRepeatedKey(text: string): string | null {
  const open: Array<Set<string> | null> = []
  let isKeyNext = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    const keys = open.at(-1)
    if (open.length > jsonDepth) throw new SyntaxError('nested too deeply')
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ',' && isKeyNext && keys) {
      const key: string = JSON.parse(token)
      if (keys.has(key)) return key
      keys.add(key)
    }
    isKeyNext = token === '{' || (token === ',' && open.at(-1) !== null)
  }
  return null
}
