'use client'
/** A page failed. The server logged it; the reader learns that nothing was changed and what to do. */
import { useEffect, useState } from 'react'
import { unexpected } from '#lib/i18n/messages/unexpected.ts'

export default function PageError() {
  const [words, setWords] = useState(unexpected.en)
  useEffect(() => {
    if (navigator.language.startsWith('de')) setWords(unexpected.de)
  }, [])
  return (
    <html lang={words === unexpected.de ? 'de' : 'en'}>
      <body className="hosted">
        <title>{words.title}</title>
        <main className="card">
          <h1>{words.title}</h1>
          <p className="muted">{words.body}</p>
          <button type="button" className="btn wide" onClick={() => location.reload()}>
            {words.action}
          </button>
        </main>
      </body>
    </html>
  )
}
