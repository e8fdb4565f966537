'use client'
/** A page failed in the browser. One that fails on the server is answered by our own error page. */
export default function PageError({ reset }: { readonly reset: () => void }) {
  return (
    <>
      <title>Something went wrong</title>
      <h1>Something went wrong</h1>
      <p className="muted">This page could not be displayed.</p>
      <p>
        <button type="button" className="btn primary" onClick={reset}>
          Try again
        </button>
      </p>
    </>
  )
}
