/** A value to take along: shown whole, with a button that comes to life with script. */
type CopyTextProps = {
  /** Unique on the page. */
  readonly id: string
  /** What it is, for those who only hear the button. */
  readonly name: string
  readonly text: string
}

export function CopyText({ id, name, text }: CopyTextProps) {
  return (
    <span className="copy-text">
      <code className="mono" id={id}>
        {text}
      </code>
      <CopyButton of={id} name={name} />
    </span>
  )
}

export function CopyButton({ of, name }: { readonly of: string; readonly name: string }) {
  return (
    <button
      className="btn plain small"
      type="button"
      hidden
      data-copies={of}
      data-done="Copied"
      aria-label={`Copy ${name}`}
    >
      Copy
    </button>
  )
}
