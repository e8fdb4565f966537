/** One subject on a page, on a sheet of its own. */
import type { ReactNode } from 'react'

type SectionProps = {
  readonly title: string
  readonly description?: ReactNode
  /** For links to it. */
  readonly id?: string
  /** Beside the title, such as one more button. */
  readonly action?: ReactNode
  /** What cannot be taken back stands last and looks so. */
  readonly isDangerous?: boolean
  readonly children: ReactNode
}

export function Section({ title, description, id, action, isDangerous = false, children }: SectionProps) {
  return (
    <section className={isDangerous ? 'sheet danger' : 'sheet'} id={id}>
      <div className="sheet-head">
        <div className="grow">
          <h2>{title}</h2>
          {description !== undefined && <p className="small muted">{description}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
