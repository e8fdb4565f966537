/** The document of every hosted page: one card in the middle, and a footer with the language menu. */
import type { ReactNode } from 'react'
import { dirOf } from '#lib/i18n/locales.ts'
import type { Frame } from './frame.ts'
import { PageFooter } from './page-footer.tsx'
import { stylesheet } from './stylesheet.ts'

type ScreenProps = {
  readonly frame: Frame
  readonly title: string
  readonly isProblem?: boolean
  /** Whether the script checks, when the user returns to the page, that its address still leads here. */
  readonly asksAgain?: boolean
  readonly layout?: 'narrow' | 'wide' | 'column'
  readonly children: ReactNode
}

const mainClass = { narrow: 'card', wide: 'card wide', column: 'column' } as const

export function Screen({
  frame,
  title,
  isProblem = false,
  asksAgain = false,
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
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="stylesheet" href={stylesheet().path} />
        {nonce !== null && <script src="/enhance.js" nonce={nonce} defer />}
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
