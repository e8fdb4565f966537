import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { decodeToken } from '../decode-token.ts'
import { CodeBlock } from './code-block.tsx'
import { JsonText } from './json-text.tsx'

type TokenPanelProps = {
  readonly frame: Frame
  readonly id: string
  readonly title: MessageKey
  readonly hint: MessageKey
  readonly token: string | undefined
}

/** A token: what is in it first, how it travels behind a fold. */
export function TokenPanel({ frame: { t, locale }, id, title, hint, token }: TokenPanelProps) {
  if (token === undefined) return null
  const decoded = decodeToken(token)
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t(title)}</h2>
        <p className="small muted">{t(decoded === null ? 'playground.reference' : hint)}</p>
      </header>
      {decoded !== null && (
        <>
          <CodeBlock t={t} id={`${id}-claims`} label={t('playground.claims')}>
            <JsonText value={decoded.claims} locale={locale} />
          </CodeBlock>
          <CodeBlock t={t} id={`${id}-header`} label={t('playground.header')}>
            <JsonText value={decoded.header} locale={locale} />
          </CodeBlock>
        </>
      )}
      <CodeBlock t={t} id={`${id}-raw`} label={t('playground.raw')}>
        {token}
      </CodeBlock>
    </section>
  )
}
