'use client'
/** A message that gets the focus when it appears, such as the errors of a form or a secret that is shown once. */
import { type ReactNode, useEffect, useRef } from 'react'

type FocusedProps = {
  readonly className: string
  readonly role: 'alert' | 'status'
  readonly children: ReactNode
}

/** The element that takes the focus. If a page has several, the first one takes it. */
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
