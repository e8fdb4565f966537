/** A submit button whose label changes while the request is in progress. */
type SubmitButtonProps = {
  readonly label: string
  readonly busy: string
  readonly look?: 'primary' | 'plain'
  readonly name?: string
  readonly value?: string
  /** Ignores presses just after the page appears, and repeats of a held key, so that nothing is submitted by accident. */
  readonly isGuarded?: boolean
}

export function SubmitButton({ label, busy, look = 'primary', name, value, isGuarded }: SubmitButtonProps) {
  const className = look === 'primary' ? 'btn primary' : 'btn'
  return (
    <button
      type="submit"
      className={className}
      name={name}
      value={value}
      data-arms={isGuarded ? '' : undefined}
    >
      <span className="idle">{label}</span>
      <span className="busy">{busy}</span>
    </button>
  )
}
