import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import { decodeToken } from '../decode-token.ts'
import { JsonText } from './json-text.tsx'

type TokenPanelProps = {
  readonly t: Translate
  readonly title: MessageKey
  readonly hint: MessageKey
  readonly token: string | undefined
}

/** A token: what is in it first, how it travels behind a fold. */
export function TokenPanel({ t, title, hint, token }: TokenPanelProps) {
  if (token === undefined) return null
  const decoded = decodeToken(token)
  return (
    <section className="panel" aria-labelledby={title}>
      <header>
        <h2 id={title}>{t(title)}</h2>
        <p className="small muted">{t(hint)}</p>
      </header>
      {decoded === null ? (
        <p>{t('playground.reference')}</p>
      ) : (
        <div className="tokens">
          <JsonText label={t('playground.header')} value={decoded.header} />
          <JsonText label={t('playground.claims')} value={decoded.claims} />
        </div>
      )}
      <details>
        <summary>{t('playground.raw')}</summary>
        <code className="code" dir="ltr">
          {token}
        </code>
      </details>
    </section>
  )
}
