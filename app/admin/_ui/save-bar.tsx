'use client'
/** The end of a long form. Once script runs it appears with the first change and names what is not saved. */
import { useEffect, useRef, useState } from 'react'
import { type ChangedField, changedFields, sentenceAbout } from './changed-fields.ts'
import { useReturnedForm } from './post-form.tsx'
import { useLeaveWarning } from './use-leave-warning.ts'

type SaveBarProps = {
  readonly label?: string
  /** Who may instead, when this admin may not. */
  readonly reasonAgainst: string | null
}

export function SaveBar({ label = 'Save changes', reasonAgainst }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const save = useRef<HTMLButtonElement>(null)
  const { isReturned, back } = useReturnedForm()
  const [changed, setChanged] = useState<readonly ChangedField[] | null>(null)
  const isUnsaved = changed !== null && (changed.length > 0 || isReturned)
  const leave = useLeaveWarning(isUnsaved && reasonAgainst === null)
  useEffect(() => watchForm(bar.current, setChanged, leave), [leave])
  useSaveByKey(save, isUnsaved)
  const discard = () => {
    leave()
    if (isReturned) location.assign(back)
    else bar.current?.closest('form')?.reset()
  }
  // Before script has looked at the form, and without it, the button is always there
  const isShown = changed === null || isUnsaved
  return (
    <div className={isShown || reasonAgainst !== null ? 'save-bar' : 'save-bar clean'} ref={bar}>
      <button
        type="submit"
        className="btn primary"
        ref={save}
        hidden={!isShown && reasonAgainst === null}
        disabled={reasonAgainst !== null}
      >
        {label}
      </button>
      <button type="button" className="btn" hidden={!isUnsaved} onClick={discard}>
        Discard
      </button>
      {reasonAgainst !== null && <span className="small muted">{reasonAgainst}</span>}
      <span className="save-state small" role="status">
        {isUnsaved ? sentenceAbout(changed) || 'Not saved yet' : ''}
      </span>
    </div>
  )
}

/** Calls `onChange` with the changed fields now and at each input; `onSubmit` when the form is sent. */
function watchForm(
  bar: HTMLElement | null,
  onChange: (changed: readonly ChangedField[]) => void,
  onSubmit: () => void,
): (() => void) | undefined {
  const form = bar?.closest('form')
  if (form === null || form === undefined) return
  const stop = new AbortController()
  const { signal } = stop
  const look = () => onChange(changedFields(form))
  form.addEventListener('input', look, { signal })
  // A reset puts the fields back after its event
  form.addEventListener('reset', () => setTimeout(look), { signal })
  form.addEventListener('submit', onSubmit, { signal })
  addEventListener('pageshow', look, { signal })
  look()
  return () => stop.abort()
}

/** Ctrl-S saves the form that has the focus, else the first one of the page with changes. */
function useSaveByKey(save: { readonly current: HTMLButtonElement | null }, isUnsaved: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
      if (!isShortcut || event.altKey || event.shiftKey) return
      const button = save.current
      const focused = document.activeElement?.closest('form') ?? null
      const isMeant =
        focused === null || focused === button?.form || focused.querySelector('.save-bar') === null
      if (!isMeant || event.defaultPrevented) return
      event.preventDefault()
      if (isUnsaved) button?.form?.requestSubmit(button)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [save, isUnsaved])
}
