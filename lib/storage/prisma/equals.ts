/**
 * FW-03: an explicit equality. With a bare value, an object such as `{ contains: '' }` would become a filter, and `null` would
 * find every row without a value.
 */
export function equals(value: string): { readonly equals: string } {
  if (typeof value !== 'string') throw new TypeError('A look-up needs a string.')
  return { equals: value }
}
