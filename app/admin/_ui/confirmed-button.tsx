'use client'
/** A button that shows its consequences before it acts: in a dialog, or without script in a part that unfolds. */
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'
import { CloseButton, Modal } from './modal.tsx'
import { useHydrated } from './use-hydrated.ts'

export type ConfirmedButtonProps = {
  /** The verb and the object, such as "Delete this client". */
  readonly label: string
  /**
   * The object of the verb where the label omits it, such as "this session". The question shows it; on the button only screen
   * readers get it.
   */
  readonly thing?: string
  /** The consequence of the action. */
  readonly consequence: ReactNode
  /** Shows the consequence only in the question, for a button among others in a row or a table. */
  readonly isBrief?: boolean
  /** Whether the action deletes and revokes nothing. */
  readonly isHarmless?: boolean
  /** Whether the question is open at first, because its form was returned. */
  readonly isOpen?: boolean
  /** The form, whose button repeats the verb. */
  readonly children: ReactNode
}

export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { consequence, isBrief = false } = props
  if (isBrief) return <Question {...props} />
  return (
    <div className="explained">
      <div className="small muted">{consequence}</div>
      <Question {...props} />
    </div>
  )
}

/**
 * The question. Its summary stays the same element when script starts, so that it keeps the focus; a dialog replaces the part
 * that unfolds.
 */
function Question({
  isHarmless = false,
  isOpen: isOpenAtFirst = false,
  consequence,
  children,
  ...named
}: ConfirmedButtonProps) {
  const isHydrated = useHydrated()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const button = useRef<HTMLElement>(null)
  useEffect(() => {
    const details = button.current?.closest('details')
    if (!isHydrated || details?.open !== true) return
    // The part was unfolded before script ran: open the dialog in its place
    details.open = false
    setOpen(true)
  }, [isHydrated])
  return (
    <details
      className={isHarmless ? 'confirmed harmless' : 'confirmed'}
      open={!isHydrated && isOpen}
      onToggle={({ currentTarget: details }) => {
        if (!details.open) return
        setOpen(true)
        details.open = !isHydrated
      }}
    >
      <summary className="btn small" ref={button} {...(isHydrated ? opensDialog : {})}>
        <Name {...named} />
      </summary>
      {!isHydrated && (
        <div className="confirmed-body">
          <div className="small">{consequence}</div>
          {children}
        </div>
      )}
      {isHydrated && isOpen && (
        <QuestionDialog
          {...named}
          consequence={consequence}
          onClosed={() => {
            setOpen(false)
            button.current?.focus()
          }}
        >
          {children}
        </QuestionDialog>
      )}
    </details>
  )
}

const opensDialog = { role: 'button', 'aria-haspopup': 'dialog' } as const

/** Whether the content is inside a dialog. */
const IsInDialog = createContext(false)

type QuestionDialogProps = Pick<ConfirmedButtonProps, 'label' | 'thing' | 'consequence' | 'children'> & {
  readonly onClosed: () => void
}

function QuestionDialog({ consequence, children, onClosed, ...named }: QuestionDialogProps) {
  const id = useId()
  return (
    <Modal
      className="dialog"
      role="alertdialog"
      titleId={`${id}-title`}
      describedBy={`${id}-text`}
      firstFocus={firstToAnswer}
      onClosed={onClosed}
    >
      <h2 id={`${id}-title`} className="dialog-title">
        {named.thing === undefined ? named.label : `${named.label} ${named.thing}`}?
      </h2>
      <div id={`${id}-text`} className="small">
        {consequence}
      </div>
      <IsInDialog value={true}>{children}</IsInDialog>
    </Modal>
  )
}

/** Closes the dialog without an action. Outside of a dialog there is no such button. */
export function CancelButton() {
  return useContext(IsInDialog) ? <CloseButton>Cancel</CloseButton> : null
}

function Name({ label, thing }: Pick<ConfirmedButtonProps, 'label' | 'thing'>) {
  return (
    <>
      {label}
      {thing !== undefined && <span className="visually-hidden"> {thing}</span>}
    </>
  )
}

/**
 * The element of the dialog that gets the focus: the errors of the form, or its first field. In a form without fields it is
 * Cancel, so that Enter only closes the dialog.
 */
function firstToAnswer(dialog: HTMLElement): HTMLElement | null {
  const field = '[role="alert"], input:not([type="hidden"]), select, textarea'
  return dialog.querySelector<HTMLElement>(field) ?? dialog.querySelector<HTMLElement>('[data-closes-dialog]')
}
