/** One sentence about what happened. A problem is announced and takes the focus when script is there. */
import type { ReactNode } from 'react'

type NoticeProps = {
  readonly kind: 'bad' | 'warn' | 'good' | 'plain'
  readonly children: ReactNode
  readonly id?: string
}

export function Notice({ kind, children, id }: NoticeProps) {
  const className = kind === 'plain' ? 'notice' : `notice ${kind}`
  if (kind !== 'bad') {
    return (
      <div className={className} id={id} role={kind === 'good' ? 'status' : undefined}>
        <p>{children}</p>
      </div>
    )
  }
  return (
    <div className={className} id={id} role="alert" tabIndex={-1} data-focus="">
      <p>{children}</p>
    </div>
  )
}
