/**
 * FW-03: equality spelled out. Where a bare value stands, an object such as `{ contains: '' }` would become a filter,
 * and `null` would find every row that has none.
 */
export function equals(value: string): { readonly equals: string } {
  if (typeof value !== 'string') throw new TypeError('A look-up needs a string.')
  return { equals: value }
}
