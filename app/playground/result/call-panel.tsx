import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { Call } from '../own-endpoints.ts'
import { CodeBlock } from './code-block.tsx'
import { JsonText } from './json-text.tsx'

export type CallPanelProps = {
  readonly frame: Frame
  readonly id: string
  readonly title: MessageKey
  readonly hint: MessageKey
  readonly call: Call
}

/** One request of the playground and its response. */
export function CallPanel({ frame: { t, locale }, id, title, hint, call }: CallPanelProps) {
  const status = String(call.status)
  return (
    <section className="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t(title)}</h2>
        <p className="small muted">{t(hint)}</p>
      </header>
      <CodeBlock t={t} id={`${id}-request`} label={t('playground.request')}>
        {call.request}
      </CodeBlock>
      <CodeBlock t={t} id={`${id}-response`} label={t('playground.response', { status })}>
        {call.body === null ? t('playground.noBody') : <JsonText value={call.body} locale={locale} />}
      </CodeBlock>
    </section>
  )
}
