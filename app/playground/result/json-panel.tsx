import { Sentence } from '#app/_ui/sentence.tsx'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { Answer } from '../own-endpoints.ts'
import { JsonText } from './json-text.tsx'

type JsonPanelProps = {
  readonly t: Translate
  readonly id: string
  readonly title: MessageKey
  readonly endpoint: string
  readonly answer: Answer
}

/** What one of our endpoints said. */
export function JsonPanel({ t, id, title, endpoint, answer }: JsonPanelProps) {
  return (
    <section className="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t(title)}</h2>
        <p className="small muted">
          <Sentence t={t} text="playground.from" placeholder="endpoint">
            <code className="mono">{endpoint}</code>
          </Sentence>
        </p>
      </header>
      <JsonText label={t('playground.status', { status: String(answer.status) })} value={answer.body} />
    </section>
  )
}
