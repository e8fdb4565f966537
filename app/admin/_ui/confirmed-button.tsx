/** A button for what has consequences: pressed first, it says what would happen; then it can be meant. */
import type { ReactNode } from 'react'

export type ConfirmedButtonProps = {
  /** The verb and the thing: "Delete this client". */
  readonly label: string
  /** What will happen, with numbers. */
  readonly consequence: ReactNode
  /** Who may instead, when this admin may not. */
  readonly reasonAgainst: string | null
  /** Its form came back and must be seen. */
  readonly isOpen?: boolean
  /** The form, whose button says the verb again. */
  readonly children: ReactNode
}

/** Needs no script. Who may not sees the button, dead, and who may. */
export function ConfirmedButton({
  label,
  consequence,
  reasonAgainst,
  isOpen = false,
  children,
}: ConfirmedButtonProps) {
  if (reasonAgainst !== null) {
    return (
      <span className="refused-button">
        <button type="button" className="btn small" disabled>
          {label}
        </button>
        <span className="small muted">{reasonAgainst}</span>
      </span>
    )
  }
  return (
    <details className="confirmed" open={isOpen}>
      <summary className="btn small">{label}</summary>
      <div className="confirmed-body">
        <div className="small">{consequence}</div>
        {children}
      </div>
    </details>
  )
}
