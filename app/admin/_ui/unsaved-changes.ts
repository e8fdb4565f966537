'use client'
/** Asks before a page with unsaved changes is left. */
import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that turns the warning off, called before saving or discarding. */
export function useLeaveWarning(isUnsaved: boolean): () => void {
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
  // The browser asks before it loads another document, not before Next exchanges a page
  useFullPageLoads(isUnsaved)
  return useCallback(() => {
    isLeaving.current = true
  }, [])
}

/** While it is on, links load a document, so that nothing of this page stays in the memory of the script. */
export function useFullPageLoads(isOn: boolean): void {
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

/** Back and forward between pages of the dashboard, which load nothing as a whole. */
function askBeforeGoingBack(event: Navigation): void {
  if (event.navigationType !== 'traverse' || event.hashChange || !event.cancelable) return
  if (!confirm('Leave this page? Your changes are not saved.')) event.preventDefault()
}

export function FullPageLoads() {
  useFullPageLoads(true)
  return null
}
