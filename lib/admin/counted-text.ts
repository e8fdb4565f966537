import type { Counted } from '#lib/ports/admin-lists.ts'

const digits = new Intl.NumberFormat('en')

/** A number with its noun: `1 client`, `24 clients`, `10,000+ clients`. */
export function countedText({ count, isMore }: Counted, one: string, several: string): string {
  return `${digits.format(count)}${isMore ? '+' : ''} ${count === 1 && !isMore ? one : several}`
}
