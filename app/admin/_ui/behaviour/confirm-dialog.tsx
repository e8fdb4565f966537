/** Buttons with consequences ask in a dialog that holds the focus. Without script the question folds out below them. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

/** The parts of one `ConfirmedButton`. */
type Question = {
  readonly details: HTMLDetailsElement
  readonly button: HTMLElement
  /** What would happen, and the form that makes it so. */
  readonly body: HTMLElement
}

const dialog = AlertDialog.createHandle<Question>()
const consequenceId = 'consequence'

export function ConfirmDialog() {
  useEffect(watchButtons, [])
  return (
    <AlertDialog.Root handle={dialog}>
      {({ payload }) => (payload === undefined ? null : <Asked question={payload} />)}
    </AlertDialog.Root>
  )
}

function watchButtons(): () => void {
  const stop = new AbortController()
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details.confirmed')) {
    const question = questionIn(details)
    if (question === null) continue
    question.button.setAttribute('role', 'button')
    question.button.setAttribute('aria-haspopup', 'dialog')
    question.button.addEventListener('click', event => ask(event, question), { signal: stop.signal })
    if (!details.open) continue
    // Its form came back and must be seen
    details.open = false
    dialog.openWithPayload(question)
  }
  return () => stop.abort()
}

function questionIn(details: HTMLDetailsElement): Question | null {
  const button = details.querySelector<HTMLElement>(':scope > summary')
  const body = details.querySelector<HTMLElement>(':scope > .confirmed-body')
  return button === null || body === null ? null : { details, button, body }
}

function ask(event: Event, question: Question): void {
  event.preventDefault()
  dialog.openWithPayload(question)
}

function Asked({ question }: { readonly question: Question }) {
  const { button, body } = question
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="dialog-shade" />
      <AlertDialog.Popup
        className="dialog"
        aria-describedby={consequenceId}
        initialFocus={() => firstToAnswer(body) ?? cancel.current}
        finalFocus={() => button}
      >
        <AlertDialog.Title className="dialog-title">{`${button.textContent}?`}</AlertDialog.Title>
        <Borrowed question={question} />
        {createPortal(
          <AlertDialog.Close className="btn small" ref={cancel}>
            Cancel
          </AlertDialog.Close>,
          buttonRow(body),
        )}
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  )
}

/** The form is the page's own: it is moved into the dialog and back, so that there is one of it and it keeps its input. */
function Borrowed({ question: { details, body } }: { readonly question: Question }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current?.append(body)
    body.firstElementChild?.setAttribute('id', consequenceId)
    return () => {
      body.firstElementChild?.removeAttribute('id')
      details.append(body)
    }
  }, [details, body])
  return <div ref={place} />
}

/** What is wrong with the form, or its first field; `null` when a press is all it takes: then Cancel has the focus. */
function firstToAnswer(body: HTMLElement): HTMLElement | null {
  return (
    body.querySelector<HTMLElement>('[data-focus]') ??
    body.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea')
  )
}

function buttonRow(body: HTMLElement): HTMLElement {
  const row = body.querySelector<HTMLElement>('[type="submit"]')?.parentElement ?? body
  row.classList.add('dialog-buttons')
  return row
}
