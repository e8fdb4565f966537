/** The rows in the order of their ids; deleted ones are left out. */
export function inOrderOf<T>(
  ids: readonly string[],
  rows: readonly T[],
  idOf: (row: T) => string,
): readonly T[] {
  const byId = new Map(rows.map(row => [idOf(row), row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}
