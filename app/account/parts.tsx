/** Parts that the panels of the account share. */
import type { ReactNode } from 'react'
import { Sentence } from '#app/_ui/sentence.tsx'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import { deviceOf } from '#lib/protocol/text/device-name.ts'

type WhenProps = {
  readonly frame: Frame
  readonly text: MessageKey
  readonly at: Date
  readonly isDayOnly?: boolean
}

export function When({ frame: { t, locale }, text, at, isDayOnly = false }: WhenProps) {
  return (
    <Sentence t={t} text={text} placeholder="date">
      <TimeText at={at} locale={locale} isDayOnly={isDayOnly} />
    </Sentence>
  )
}

type ConfirmedProps = {
  readonly label: string
  /** A sentence that says what the button does. */
  readonly text?: string
  readonly children: ReactNode
}

/** A button that unfolds a sentence and a form, also without script, such as to confirm what the form does. */
export function Confirmed({ label, text, children }: ConfirmedProps) {
  return (
    <details className="confirmed">
      <summary className="btn small">{label}</summary>
      {text !== undefined && <p className="small">{text}</p>}
      {children}
    </details>
  )
}

export function deviceName(t: Translate, userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser !== null && system !== null) return t('account.device', { browser, system })
  return browser ?? system ?? t('account.unknownDevice')
}
