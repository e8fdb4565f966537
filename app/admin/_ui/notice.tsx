/** One sentence about what happened. A problem is announced and takes the focus. */
import type { ReactNode } from 'react'
import { Focused } from './focused.tsx'

type NoticeProps = {
  readonly kind: 'bad' | 'warn' | 'good' | 'plain'
  readonly children: ReactNode
}

export function Notice({ kind, children }: NoticeProps) {
  const className = kind === 'plain' ? 'notice' : `notice ${kind}`
  if (kind === 'bad')
    return (
      <Focused className={className} role="alert">
        <p>{children}</p>
      </Focused>
    )
  return (
    <div className={className} role={kind === 'good' ? 'status' : undefined}>
      <p>{children}</p>
    </div>
  )
}
