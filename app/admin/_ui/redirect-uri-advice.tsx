'use client'
/** Shows errors and warnings about each redirect URI while it is entered. The server validates again. */
import { useEffect, useState } from 'react'
import type { ClientKind } from '#lib/protocol/registration/client.ts'
import { adviseRedirectUris } from '#lib/protocol/registration/redirect-uri-advice.ts'

type RedirectUriAdviceProps = {
  /** The id of the text area, which shows its own errors until it is changed. */
  readonly of: string
  readonly kind: ClientKind
  readonly applicationType: 'web' | 'native'
  readonly stored: readonly string[]
  readonly issuer: string
}

type Typed = { readonly text: string; readonly isChanged: boolean }

export function RedirectUriAdvice({ of, ...about }: RedirectUriAdviceProps) {
  const [typed, setTyped] = useState<Typed>({ text: '', isChanged: false })
  const remarks = adviseRedirectUris(typed.text, about)
  const hasError = remarks.some(({ level }) => level === 'error')
  useEffect(() => {
    const area = areaOf(of)
    if (area === null) return
    const look = (isChanged: boolean) => setTyped({ text: area.value, isChanged })
    const change = () => look(true)
    look(false)
    area.addEventListener('input', change)
    return () => area.removeEventListener('input', change)
  }, [of])
  useEffect(() => {
    const refused = document.getElementById(`${of}-error`)
    if (!typed.isChanged || refused === null) return
    refused.hidden = true
    areaOf(of)?.setAttribute('aria-invalid', String(hasError))
  }, [of, typed, hasError])
  const isRefused = !typed.isChanged && typed.text !== '' && document.getElementById(`${of}-error`) !== null
  return (
    <ul className="advice list" aria-live="polite">
      {remarks
        .filter(({ level }) => level !== 'error' || !isRefused)
        .map(({ line, level, sentence }) => (
          <li key={`${line} ${sentence}`} className={`small ${level}`}>
            <span className="strong">Line {line}: </span>
            {sentence}
          </li>
        ))}
    </ul>
  )
}

function areaOf(id: string): HTMLTextAreaElement | null {
  const area = document.getElementById(id)
  return area instanceof HTMLTextAreaElement ? area : null
}
