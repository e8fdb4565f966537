/**
 * The document of every page: one card in the middle, a quiet footer, the language menu. It is drawn here and not in
 * the root layout, since only a page knows which request is waiting and so which language the person asked for.
 */
import type { ReactNode } from 'react'
import { dirOf } from '#lib/i18n/locales.ts'
import type { Frame } from './frame.ts'
import { PageFooter } from './page-footer.tsx'

type ScreenProps = {
  readonly frame: Frame
  readonly title: string
  readonly isProblem?: boolean
  /** When the person comes back to it: whether it still is the page that its address leads to. */
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
      <body className="hosted">
        <title>{isProblem ? t('frame.alert', { title }) : title}</title>
        <main className={mainClass[layout]} data-asks-again={asksAgain ? '' : undefined}>
          {children}
        </main>
        <PageFooter {...frame} />
        <script src="/enhance.js" nonce={nonce} defer />
      </body>
    </html>
  )
}
