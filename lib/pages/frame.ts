/** The data about the visitor and the site that every hosted page uses. */
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Theme } from '#lib/protocol/theme.ts'

export type Frame = {
  readonly t: Translate
  readonly locale: Locale
  readonly siteName: string
  readonly issuer: string
  /** The address where users get help with signing in. */
  readonly help?: string | null | undefined
  /** Path and query of the page, to return to after a change of language. */
  readonly here: string
  /** Whether the page offers no other language. */
  readonly isMonolingual?: boolean
  /** Whether to show a sign-out button: a user is signed in, and the page itself has none. */
  readonly offersSignOut?: boolean
  /** The user whom the footer signs out; the current one of this browser by default. */
  readonly signOutUser?: string | undefined
  readonly theme: Theme
  /** The nonce of the script `enhance.js`; `null`: the page does not load it. */
  readonly nonce: string | null
}
