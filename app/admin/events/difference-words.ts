/** What differs between two values, in words: for those who do not see a mark, and for what has no shape. */
import type { markDifference } from '#lib/admin/events/difference.ts'

type Difference = ReturnType<typeof markDifference>

/** Longer than this it is told by the marks alone. */
const longestQuote = 40

export function differenceWords({ left, right }: Difference): string | null {
  const [sent, wanted] = [left.changed, right.changed]
  if (sent.includes('…'))
    return 'Values in a query are not kept: “…” stands for them. Add such an address by hand.'
  if (sent === '' && wanted === '') return null
  if (Math.max(sent.length, wanted.length) > longestQuote) return null
  const place = left.after === '' && right.after === '' ? ' at the end' : ''
  if (wanted === '') return `Too much${place}: ${quoted(sent)}`
  if (sent === '') return `Missing${place}: ${quoted(wanted)}`
  return `${quoted(sent)} instead of ${quoted(wanted)}`
}

/** Whether two values have so much in common that marking the rest helps. */
export function isNear({ left, right }: Difference): boolean {
  const shared = left.before.length + left.after.length
  const longest = Math.max(left.changed.length, right.changed.length)
  return shared >= longest
}

/** Characters that nobody can see, or that turn the text around, by their numbers. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, codePointOf)
}

function codePointOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

function quoted(text: string): string {
  return text === ' ' ? 'a space' : `“${visible(text)}”`
}
