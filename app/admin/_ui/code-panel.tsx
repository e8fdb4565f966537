/** Code or JSON to read and to copy. */
import { CopyButton } from './copy-button.tsx'

type CodePanelProps = { readonly id: string; readonly title: string; readonly text: string }

export function CodePanel({ id, title, text }: CodePanelProps) {
  return (
    <figure>
      <figcaption className="small muted">
        <span className="mono">{title}</span>
        <CopyButton name={title} text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code" tabIndex={0}>
        <code id={id}>{text}</code>
      </pre>
    </figure>
  )
}
