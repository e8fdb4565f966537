/** A sentence from the catalog with an element in place of its placeholder. */
import type { ReactNode } from 'react'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'

type SentenceProps = {
  readonly t: Translate
  readonly text: MessageKey
  readonly placeholder: string
  readonly children: ReactNode
}

const slot = '\u{f8ff}'

export function Sentence({ t, text, placeholder, children }: SentenceProps) {
  const [before, after] = t(text, { [placeholder]: slot }).split(slot)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
