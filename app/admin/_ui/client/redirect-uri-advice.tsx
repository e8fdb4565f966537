'use client'

/** Says what is wrong or unwise with each redirect URI while it is typed. The server checks again. */
import { useEffect, useState } from 'react'
import type { ClientKind } from '#lib/protocol/client-kind.ts'
import { adviseRedirectUris, type RedirectUriRemark } from '#lib/protocol/redirect-uri-advice.ts'

type RedirectUriAdviceProps = {
  /** The id of the text area. */
  readonly of: string
  readonly kind: ClientKind
  readonly issuer: string
}

export function RedirectUriAdvice({ of, kind, issuer }: RedirectUriAdviceProps) {
  const [remarks, setRemarks] = useState<readonly RedirectUriRemark[]>([])
  useEffect(() => {
    const area = document.getElementById(of)
    if (!(area instanceof HTMLTextAreaElement)) return
    const look = () => setRemarks(adviseRedirectUris(area.value, { kind, issuer }))
    look()
    area.addEventListener('input', look)
    return () => area.removeEventListener('input', look)
  }, [of, kind, issuer])
  return (
    <ul className="advice list" aria-live="polite">
      {remarks.map(({ line, level, sentence }) => (
        <li key={`${line} ${sentence}`} className={`small ${level}`}>
          <span className="strong">{`Line ${line}: `}</span>
          {sentence}
        </li>
      ))}
    </ul>
  )
}
