/** The document of every hosted page: one card in the middle, and a footer. */

import type { ReactNode } from 'react'
import { dirOf, locales } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { newPasswordScript, passkeyScript, stylesheet } from './assets.ts'
import type { Frame } from './frame.ts'
import { KeyMark } from './page-head.tsx'

type ScreenProps = {
  readonly frame: Frame
  readonly title: string
  readonly isProblem?: boolean
  /** Whether a script checks, when the user returns to the page, that its address still leads to the page. */
  readonly asksAgain?: boolean
  /** Whether the page loads the script for passkeys. */
  readonly usesPasskeys?: boolean
  /** Whether the page loads the script that shows which rules a new password meets. */
  readonly choosesPassword?: boolean
  readonly layout?: 'narrow' | 'wide' | 'column'
  readonly children: ReactNode
}

const mainClass = { narrow: 'card', wide: 'card wide', column: 'column' } as const

export function Screen({
  frame,
  title,
  isProblem = false,
  asksAgain = false,
  usesPasskeys = false,
  choosesPassword = false,
  layout = 'narrow',
  children,
}: ScreenProps) {
  const { t, locale, theme, nonce } = frame
  return (
    <html lang={locale} dir={dirOf(locale)} data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="theme-color" content="#f6f4ef" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#131417" media="(prefers-color-scheme: dark)" />
        <title>{isProblem ? t('frame.alert', { title }) : title}</title>
        <link rel="icon" href={browserAddress('/favicon.svg')} type="image/svg+xml" />
        <link rel="manifest" href={browserAddress('/manifest.webmanifest')} />
        <link rel="stylesheet" href={browserAddress(stylesheet().path)} />
        {nonce !== null && <script src={browserAddress('/enhance.js')} nonce={nonce} defer />}
        {nonce !== null && usesPasskeys && (
          <script src={browserAddress(passkeyScript().path)} nonce={nonce} defer />
        )}
        {nonce !== null && choosesPassword && (
          <script src={browserAddress(newPasswordScript().path)} nonce={nonce} defer />
        )}
      </head>
      <body className="hosted">
        <main className={mainClass[layout]} data-asks-again={asksAgain ? '' : undefined}>
          {children}
        </main>
        <PageFooter {...frame} />
      </body>
    </html>
  )
}

/** The footer: the site, help, sign-out, and the other languages, each in its own language. */
function PageFooter(frame: Frame) {
  return (
    <footer className="foot">
      <span className="brand">
        <KeyMark size={16} />
        {frame.siteName}
      </span>
      {frame.help != null && (
        <a className="btn plain" href={browserAddress(frame.help)}>
          {frame.t('frame.help')}
        </a>
      )}
      {frame.offersSignOut === true && <SignOut {...frame} />}
      {frame.isMonolingual !== true && <LanguageMenu {...frame} />}
    </footer>
  )
}

function SignOut({ t, signOutUser }: Pick<Frame, 't' | 'signOutUser'>) {
  return (
    <form method="post" action={browserAddress('/logout')}>
      {signOutUser !== undefined && <input type="hidden" name="user" value={signOutUser} />}
      <button type="submit" className="btn plain">
        {t('account.signOut')}
      </button>
    </form>
  )
}

function LanguageMenu({ t, locale, here }: Frame) {
  return (
    <form method="post" action={browserAddress('/language')} aria-label={t('frame.language')}>
      <input type="hidden" name="back" value={here} />
      {locales
        .filter(other => other !== locale)
        .map(other => (
          <button type="submit" className="btn plain" key={other} name="locale" value={other} lang={other}>
            {translate(other)('locale.name')}
          </button>
        ))}
    </form>
  )
}
