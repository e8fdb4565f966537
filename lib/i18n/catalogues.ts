/** The languages, in the order of the language menu. To add one: its file in `messages`, and its row here. */
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import type { Messages } from './messages/messages.ts'

export const catalogues = { en, de } as const satisfies Readonly<Record<string, Messages>>
