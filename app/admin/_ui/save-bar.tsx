/** The end of a long form: stays in view, and with script says what is not saved yet. */
type SaveBarProps = {
  readonly label?: string
  /** Who may instead, when this admin may not. */
  readonly reasonAgainst: string | null
}

export function SaveBar({ label = 'Save changes', reasonAgainst }: SaveBarProps) {
  return (
    <div className="save-bar" data-save-bar="">
      <button type="submit" className="btn primary" disabled={reasonAgainst !== null}>
        {label}
      </button>
      <button type="button" className="btn" hidden data-discards="">
        Discard
      </button>
      {reasonAgainst !== null && <span className="small muted">{reasonAgainst}</span>}
      <span className="save-state small" role="status" data-unsaved="" />
    </div>
  )
}
