/** A button for what has consequences: what would happen is said before it is pressed, and again where it is meant. */
import type { ReactNode } from 'react'

export type ConfirmedButtonProps = {
  /** The verb and the thing: "Delete this client". */
  readonly label: string
  /** What the label leaves to its row or table: "this session". Said in the question, and to those who only hear it. */
  readonly thing?: string
  /** What will happen, with numbers. */
  readonly consequence: ReactNode
  /** Who may instead, when this admin may not. */
  readonly reasonAgainst: string | null
  /** One of several in a row or a table: what would happen is said after the press alone. */
  readonly isBrief?: boolean
  /** It takes nothing away. */
  readonly isHarmless?: boolean
  /** Its form came back and must be seen. */
  readonly isOpen?: boolean
  /** The form, whose button says the verb again. */
  readonly children: ReactNode
}

/** Needs no script. Who may not sees the button, dead, and who may. */
export function ConfirmedButton({
  label,
  thing,
  consequence,
  reasonAgainst,
  isBrief = false,
  isHarmless = false,
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
  const question = (
    <details className={isHarmless ? 'confirmed harmless' : 'confirmed'} open={isOpen}>
      <summary className="btn small">
        {label}
        {thing !== undefined && <span className="visually-hidden"> {thing}</span>}
      </summary>
      <div className="confirmed-body">
        <div className="small">{consequence}</div>
        {children}
      </div>
    </details>
  )
  if (isBrief) return question
  return (
    <div className="explained">
      <div className="small muted">{consequence}</div>
      {question}
    </div>
  )
}
