import { storage } from '#lib/config/limits.ts'

/** As many rows as one statement writes together. */
export function batchesOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(rows.length / storage.groupedWrites)
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * storage.groupedWrites, (index + 1) * storage.groupedWrites),
  )
}
