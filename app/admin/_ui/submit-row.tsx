/** The end of a form: its button, what stands beside it, and who may press it when this admin may not. */
import type { ReactNode } from 'react'

type SubmitRowProps = {
  /** The verb and the thing: "Delete this client". */
  readonly label: string
  /** `dangerous` and `small` stand below a question, `primary` and `plain` below fields. */
  readonly look?: keyof typeof looks
  readonly reasonAgainst?: string | null
  /** Beside the button, such as a way back. */
  readonly children?: ReactNode
}

const looks = {
  primary: 'btn primary',
  plain: 'btn',
  small: 'btn small primary',
  dangerous: 'btn small bad',
} as const

export function SubmitRow({ label, look = 'primary', reasonAgainst = null, children }: SubmitRowProps) {
  return (
    <div className="submit-row">
      <button type="submit" className={looks[look]} disabled={reasonAgainst !== null}>
        {label}
      </button>
      {children}
      {reasonAgainst !== null && <span className="small muted">{reasonAgainst}</span>}
    </div>
  )
}
