/** What every page of ours knows about the visit. */
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Theme } from '#lib/protocol/theme.ts'

export type Frame = {
  readonly t: Translate
  readonly locale: Locale
  readonly siteName: string
  readonly issuer: string
  /** The page's own address, path and query, to come back to after a change of language. */
  readonly here: string
  /** The page has words in one language only, and offers no other. */
  readonly isMonolingual?: boolean
  /** Somebody is signed in, and the page itself has no way out (LO-06). */
  readonly offersSignOut?: boolean
  readonly theme: Theme
  /** For the page's one script tag; undefined when the host sends no policy. */
  readonly nonce: string | undefined
}
