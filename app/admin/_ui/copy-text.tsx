/** A value to copy: shown in full, with a button that appears once script runs. */
import { CopyButton } from './copy-button.tsx'

type CopyTextProps = {
  /** Unique on the page. */
  readonly id: string
  /** What it is, for the name of the button. */
  readonly name: string
  readonly text: string
}

export function CopyText({ id, name, text }: CopyTextProps) {
  return (
    <span className="copy-text">
      <code className="mono" id={id}>
        {text}
      </code>
      <CopyButton name={name} text={text} />
    </span>
  )
}
