/** Something for machines under its name, scrolling sideways rather than breaking words. */
import type { ReactNode } from 'react'
import type { Translate } from '#lib/i18n/translate.ts'
import { CopyButton } from './copy-button.tsx'

type CodeBlockProps = {
  readonly t: Translate
  readonly id: string
  readonly label: string
  readonly children: ReactNode
}

export function CodeBlock({ t, id, label, children }: CodeBlockProps) {
  return (
    <figure>
      <figcaption className="small faint">
        {label}
        <CopyButton t={t} of={id} name={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code" id={id} dir="ltr" tabIndex={0}>
        {children}
      </pre>
    </figure>
  )
}
