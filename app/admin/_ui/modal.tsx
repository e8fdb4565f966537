'use client'
/** A modal dialog of the browser: the page behind it is inert, Escape closes it, and the focus returns to what had it. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

type ModalProps = {
  readonly className: string
  readonly role?: 'alertdialog'
  /** The IDs of the elements with its name and its description. */
  readonly titleId: string
  readonly describedBy?: string
  /** Finds the element of the dialog that has the focus first. */
  readonly firstFocus: (dialog: HTMLDialogElement) => HTMLElement | null
  /** A press outside of the dialog closes it, in browsers that have `closedby`. */
  readonly closesOutside?: boolean
  /** Called after the dialog has closed; the parent then removes it. */
  readonly onClosed: () => void
  readonly children: ReactNode
}

/** Open as long as it is rendered. */
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

/** Closes the dialog around it. */
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
