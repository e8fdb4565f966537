'use client'
/** A modal dialog of the browser: the page behind it is inert, Escape closes it, and the focus then returns. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

type ModalProps = {
  readonly className: string
  readonly role?: 'alertdialog'
  /** The ids of the elements with the name and with the description of the dialog. */
  readonly titleId: string
  readonly describedBy?: string
  /** Finds the element that gets the focus when the dialog opens. */
  readonly firstFocus: (dialog: HTMLDialogElement) => HTMLElement | null
  /** Whether a press outside of the dialog closes it, in browsers that have `closedby`. */
  readonly closesOutside?: boolean
  /** Called when the dialog has closed; the parent then removes it. */
  readonly onClosed: () => void
  readonly children: ReactNode
}

/** A dialog that is open as long as it is rendered. */
export function Modal({ titleId, describedBy, firstFocus, closesOutside, onClosed, ...shown }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const focusFirst = useRef(firstFocus)
  useLayoutEffect(() => {
    const opened = dialog.current
    if (opened === null || opened.open) return
    opened.showModal()
    focusFirst.current(opened)?.focus()
  }, [])
  return createPortal(
    <dialog
      {...shown}
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onClose={onClosed}
      closedby={closesOutside === true ? 'any' : 'closerequest'}
    />,
    document.body,
  )
}

/** A button that closes the dialog that contains it. */
export function CloseButton({ children }: { readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className="btn small"
      data-closes-dialog=""
      onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
    >
      {children}
    </button>
  )
}
