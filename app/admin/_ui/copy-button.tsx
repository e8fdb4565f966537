'use client'
/** Copies a text to the clipboard. Absent until script runs, which it needs. */
import { useEffect, useState } from 'react'
import { useHydrated } from './use-hydrated.ts'

const shownMs = 2000

export function CopyButton({ name, text }: { readonly name: string; readonly text: string }) {
  const isHydrated = useHydrated()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <button
      className="btn plain small"
      type="button"
      hidden={!isHydrated}
      aria-label={`Copy ${name}`}
      onClick={copy}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  )
}
