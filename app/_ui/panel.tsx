import type { ReactNode } from 'react'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'

export type PanelProps = {
  readonly frame: Frame
  readonly id: string
  readonly title: MessageKey
  readonly hint: MessageKey | null
}

/** A section with a heading and an optional hint. */
export function Panel({
  frame: { t },
  id,
  title,
  hint,
  children,
}: PanelProps & { readonly children: ReactNode }) {
  return (
    <section className="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t(title)}</h2>
        {hint !== null && <p className="small muted">{t(hint)}</p>}
      </header>
      {children}
    </section>
  )
}
