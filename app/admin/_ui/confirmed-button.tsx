'use client'
/** A button whose consequences are shown before it acts: in a dialog, or without script in a part that unfolds. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { useHydrated } from './use-hydrated.ts'

export type ConfirmedButtonProps = {
  /** The verb and the thing: "Delete this client". */
  readonly label: string
  /** The object of the verb where the label omits it: "this session". For the question and for screen readers. */
  readonly thing?: string
  /** What will happen, with numbers. */
  readonly consequence: ReactNode
  /** One of several in a row or a table: the consequence is shown in the question only. */
  readonly isBrief?: boolean
  /** Nothing is deleted or revoked. */
  readonly isHarmless?: boolean
  /** Its form was returned. */
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

/** The summary stays the same element when script runs, so that it keeps the focus; the dialog replaces what unfolds. */
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
    // It was unfolded before script ran
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
      {isHydrated ? (
        <QuestionDialog {...named} {...{ isOpen, setOpen, button, consequence }}>
          {children}
        </QuestionDialog>
      ) : (
        <div className="confirmed-body">
          <div className="small">{consequence}</div>
          {children}
        </div>
      )}
    </details>
  )
}

const opensDialog = { role: 'button', 'aria-haspopup': 'dialog' } as const

/** The Cancel button of the dialog around it; `null` outside of dialogs. */
const Cancel = createContext<RefObject<HTMLButtonElement | null> | null>(null)

type QuestionDialogProps = Pick<ConfirmedButtonProps, 'label' | 'thing' | 'consequence' | 'children'> & {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  /** What opened it, and has the focus afterwards. */
  readonly button: RefObject<HTMLElement | null>
}

function QuestionDialog({ isOpen, setOpen, button, consequence, children, ...named }: QuestionDialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-shade" />
        <AlertDialog.Popup
          className="dialog"
          initialFocus={() => firstToAnswer(body.current) ?? cancel.current}
          finalFocus={button}
        >
          <AlertDialog.Title className="dialog-title">
            <Name {...named} />?
          </AlertDialog.Title>
          <AlertDialog.Description className="small" render={<div />}>
            {consequence}
          </AlertDialog.Description>
          <div ref={body}>
            <Cancel value={cancel}>{children}</Cancel>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** For the row of buttons of the form in a `ConfirmedButton`. */
export function CancelButton() {
  const cancel = useContext(Cancel)
  if (cancel === null) return null
  return (
    <AlertDialog.Close className="btn small" ref={cancel}>
      Cancel
    </AlertDialog.Close>
  )
}

function Name({ label, thing }: Pick<ConfirmedButtonProps, 'label' | 'thing'>) {
  return (
    <>
      {label}
      {thing !== undefined && <span className="visually-hidden"> {thing}</span>}
    </>
  )
}

/** The errors of the form, or its first field; `null` for a form without fields: then Cancel has the focus. */
function firstToAnswer(body: HTMLElement | null): HTMLElement | null {
  return (
    body?.querySelector<HTMLElement>('[role="alert"], input:not([type="hidden"]), select, textarea') ?? null
  )
}
