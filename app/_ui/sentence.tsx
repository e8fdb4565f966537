import { Children, type ReactNode } from 'react'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'

type SentenceProps = {
  readonly t: Translate
  readonly text: MessageKey
  readonly placeholder: string
  readonly children: ReactNode
}

const slot = '\u{f8ff}'

/** A message with an element in place of its placeholder. */
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

/** Short facts in a row, separated by dots. A dot belongs to the fact before it, so that no line begins with one. */
export function Parts({ look, children }: { readonly look: string; readonly children: ReactNode }) {
  return (
    <p className={`parts ${look}`}>
      {Children.map(Children.toArray(children), part => (
        <>
          <span>{part}</span>{' '}
        </>
      ))}
    </p>
  )
}
