/** A button that asks first: it opens a sentence and the form, also without script. */
import type { ReactNode } from 'react'

type ConfirmedProps = {
  readonly label: string
  /** What follows. */
  readonly text: string
  /** The form that does it. */
  readonly children: ReactNode
}

export function Confirmed({ label, text, children }: ConfirmedProps) {
  return (
    <details className="confirmed">
      <summary className="btn small">{label}</summary>
      <p className="small">{text}</p>
      {children}
    </details>
  )
}
