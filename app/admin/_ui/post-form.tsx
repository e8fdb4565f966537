'use client'
/** A form with its buttons. With script, it is sent only once, and a bar names its changes and discards them. */
import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { type ChangedField, changedFields, sentenceAbout } from './changed-fields.ts'

type PostFormProps = {
  readonly action: string
  readonly id?: string | undefined
  readonly className?: string | undefined
  /** Whether the server returned the form with its input. */
  readonly isReturned: boolean
  /** The address of the page without the returned input. */
  readonly back: string
  /** The reason why this admin may not send the form; `null` if they may. */
  readonly reasonAgainst: string | null
  readonly children: ReactNode
}

/** The state of the form for its buttons. The default is for forms without `PostForm`, whose buttons are never disabled. */
const FormContext = createContext<Pick<PostFormProps, 'isReturned' | 'back' | 'reasonAgainst'>>({
  isReturned: false,
  back: '',
  reasonAgainst: null,
})

/** A form that script sends only once, until the back button shows the page again. */
export function PostForm({ action, id, className, children, ...context }: PostFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const submitter = useRef<HTMLElement | null>(null)
  const isSent = useRef(false)
  useEffect(() => {
    const reset = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      isSent.current = false
      submitter.current?.removeAttribute('aria-busy')
    }
    addEventListener('pageshow', reset)
    return () => removeEventListener('pageshow', reset)
  }, [])
  const sendOnce = (event: SubmitEvent<HTMLFormElement>) => {
    if (isSent.current) return event.preventDefault()
    isSent.current = true
    submitter.current = event.nativeEvent.submitter
    submitter.current?.setAttribute('aria-busy', 'true')
  }
  return (
    <form
      id={id}
      className={className}
      method="post"
      action={browserAddress(action)}
      ref={form}
      onSubmit={sendOnce}
    >
      <FormContext value={context}>{children}</FormContext>
    </form>
  )
}

type SubmitRowProps = {
  /** The verb and the object, such as "Delete this client". */
  readonly label: string
  /** `dangerous` and `small` are for the answer to a question, `primary` and `plain` for other forms. */
  readonly look?: keyof typeof looks
  /** Elements next to the button, such as a link back. */
  readonly children?: ReactNode
}

const looks = {
  primary: 'btn primary',
  plain: 'btn',
  small: 'btn small primary',
  dangerous: 'btn small bad',
} as const

export function SubmitRow({ label, look = 'primary', children }: SubmitRowProps) {
  const { reasonAgainst } = useContext(FormContext)
  return (
    <div className="submit-row">
      <button type="submit" className={looks[look]} disabled={reasonAgainst !== null}>
        {label}
      </button>
      {children}
      {reasonAgainst !== null && <span className="small muted">{reasonAgainst}</span>}
    </div>
  )
}

/**
 * The button that saves a form, and the names of the first changed fields. With script, the button is hidden while nothing is
 * unsaved. Admins who may not save always see it, disabled.
 */
export function SaveBar({ label = 'Save changes' }: { readonly label?: string }) {
  const bar = useRef<HTMLDivElement>(null)
  const save = useRef<HTMLButtonElement>(null)
  const { isReturned, back, reasonAgainst } = useContext(FormContext)
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
  // The button is always shown without script, and until script has read the form
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

/** Calls `onChange` with the changed fields: now, after input or a reset, and at `pageshow`; `onSubmit` before sending. */
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
  // A form changes its fields only after the reset event
  form.addEventListener('reset', () => setTimeout(look), { signal })
  form.addEventListener('submit', onSubmit, { signal })
  addEventListener('pageshow', look, { signal })
  look()
  return () => stop.abort()
}

/**
 * Saves the form by Ctrl-S if it has changes, unless the focus is in another form that can be saved. Of several
 * forms with changes, only one is saved.
 */
function useSaveByKey(save: { readonly current: HTMLButtonElement | null }, isUnsaved: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
      if (!isShortcut || event.altKey || event.shiftKey) return
      const button = save.current
      const focused = document.activeElement?.closest('form') ?? null
      const isMeant =
        focused === null || focused === button?.form || focused.querySelector('.save-bar') === null
      if (!isMeant) return
      event.preventDefault()
      if (!isUnsaved) return
      event.stopImmediatePropagation()
      button?.form?.requestSubmit(button)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [save, isUnsaved])
}

/** Warns before unsaved changes are lost. Returns a function that turns the warning off, before saving or discarding. */
function useLeaveWarning(isUnsaved: boolean): () => void {
  const isLeaving = useRef(false)
  useEffect(() => {
    if (!isUnsaved) return
    isLeaving.current = false
    const stop = new AbortController()
    const { signal } = stop
    const ask = (event: Event) => {
      if (!isLeaving.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask, { signal })
    Reflect.get(globalThis, 'navigation')?.addEventListener('navigate', askBeforeGoingBack, { signal })
    return () => stop.abort()
  }, [isUnsaved])
  // The browser warns only when it loads another document, which Next's navigation avoids
  useFullPageLoads(isUnsaved)
  return useCallback(() => {
    isLeaving.current = true
  }, [])
}

/** Makes links load a whole document, and not only the content of the next page. */
function useFullPageLoads(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    addEventListener('click', bypassClientNavigation, { capture: true })
    return () => removeEventListener('click', bypassClientNavigation, { capture: true })
  }, [isOn])
}

function bypassClientNavigation(event: Event): void {
  const isLink = event.target instanceof Element && event.target.closest('a[href]') !== null
  if (isLink) event.stopPropagation()
}

type Navigation = Event & { readonly navigationType?: string; readonly hashChange?: boolean }

/** Warns before going back or forward between pages of the dashboard, which loads no document. */
function askBeforeGoingBack(event: Navigation): void {
  if (event.navigationType !== 'traverse' || event.hashChange || !event.cancelable) return
  if (!confirm('Leave this page? Your changes are not saved.')) event.preventDefault()
}

/** Makes the links of a page load whole documents, so that script keeps nothing of the page in memory. */
export function FullPageLoads() {
  useFullPageLoads(true)
  return null
}
