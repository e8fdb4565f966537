/** What every hosted page knows about its visitor and its site. */
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Theme } from '#lib/protocol/theme.ts'

export type Frame = {
  readonly t: Translate
  readonly locale: Locale
  readonly siteName: string
  readonly issuer: string
  /** Where users get help with signing in. */
  readonly help?: string | null | undefined
  /** Path and query of the page, to return to after a change of language. */
  readonly here: string
  /** The page offers no other language. */
  readonly isMonolingual?: boolean
  /** A user is signed in, and the page itself has no sign-out button. */
  readonly offersSignOut?: boolean
  readonly theme: Theme
  /** For the page's one script tag. `null`: the page has no script. */
  readonly nonce: string | null
}
