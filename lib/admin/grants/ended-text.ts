/** Describes what a change ends or deletes, for its dialog. */
import type { Usage } from '../admin-ports.ts'
import { countedText } from '../counted-text.ts'

const nouns = {
  sessions: ['session', 'sessions'],
  grants: ['grant', 'grants'],
  consents: ['consent', 'consents'],
} as const

type Ended = keyof typeof nouns

const list = new Intl.ListFormat('en')

/** Counts the objects of these kinds, such as `2 sessions and 1 grant`; `null` if there are none. */
export function endedText(usage: Usage, kinds: readonly Ended[]): string | null {
  const found = kinds.filter(kind => usage[kind].count > 0)
  if (found.length === 0) return null
  return list.format(found.map(kind => countedText(usage[kind], nouns[kind][0], nouns[kind][1])))
}
