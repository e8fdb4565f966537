'use client'
/** Shown if a page fails after the browser has loaded the dashboard, in the browser or on the server. */
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
