/**
 * FW-03: equality spelled out. Where a bare value stands, an object such as `{ contains: '' }` would become a filter;
 * here Prisma refuses it, and it refuses `undefined`.
 */
export function exactly(value: string): { readonly equals: string } {
  return { equals: value }
}
