'use client'
/** A message that takes the focus when it appears: what went wrong with a form, or what is shown only once. */
import { type ReactNode, useEffect, useRef } from 'react'

type FocusedProps = {
  readonly className: string
  readonly role: 'alert' | 'status'
  readonly children: ReactNode
}

/** With several on a page the first one has it. */
export function Focused({ className, role, children }: FocusedProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement?.hasAttribute('data-focused') !== true) element.current?.focus()
  }, [])
  return (
    <div className={className} role={role} tabIndex={-1} ref={element} data-focused="">
      {children}
    </div>
  )
}
