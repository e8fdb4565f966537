'use client'
/** A form that posts to a route handler as forms do without script. With script a second press sends nothing. */
import { createContext, type ReactNode, type SubmitEvent, useContext, useEffect, useRef } from 'react'

type PostFormProps = {
  readonly action: string
  readonly id?: string | undefined
  readonly className?: string | undefined
  /** The server returned it, with what was entered and was not accepted. */
  readonly isReturned?: boolean
  /** The page without what was entered. */
  readonly back?: string
  readonly children: ReactNode
}

type Returned = Required<Pick<PostFormProps, 'isReturned' | 'back'>>

const ReturnedForm = createContext<Returned>({ isReturned: false, back: '' })

/** For parts of a form: whether it was returned. */
export function useReturnedForm(): Returned {
  return useContext(ReturnedForm)
}

export function PostForm({ action, id, className, isReturned = false, back = '', children }: PostFormProps) {
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
    <form id={id} className={className} method="post" action={action} ref={form} onSubmit={sendOnce}>
      <ReturnedForm value={{ isReturned, back }}>{children}</ReturnedForm>
    </form>
  )
}
