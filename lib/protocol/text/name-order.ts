/** The order of names that are sorted in memory. */

const collator = new Intl.Collator('en', { numeric: true })

/** Compares numbers in names by their value: "App 2" is before "App 10". Returns 0 only for equal texts. */
export function compareNames(left: string, right: string): number {
  const order = collator.compare(left, right)
  if (order !== 0 || left === right) return order
  return left < right ? -1 : 1
}
