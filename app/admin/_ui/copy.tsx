'use client'
/** Values and code to copy, and secrets that are shown once. The copy button needs script. */
import { type ReactNode, useEffect, useState } from 'react'
import { Focused } from './focused.tsx'
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

type CopyTextProps = {
  /** The id of the text, unique on the page. */
  readonly id: string
  /** The words after "Copy" in the accessible name of the button. */
  readonly name: string
  readonly text: string
}

export function CopyText({ id, name, text }: CopyTextProps) {
  return (
    <span className="copy-text">
      <code className="mono" id={id}>
        {text}
      </code>
      <CopyButton name={name} text={text} />
    </span>
  )
}

type CodePanelProps = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** The text with elements in it, such as dates, which are not copied. Without it only the text is shown. */
  readonly children?: ReactNode
}

export function CodePanel({ id, title, text, children = text }: CodePanelProps) {
  return (
    <figure>
      <figcaption className="small muted">
        <span className="mono">{title}</span>
        <CopyButton name={title} text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code" tabIndex={0}>
        <code id={id}>{children}</code>
      </pre>
    </figure>
  )
}

type SecretOnceProps = { readonly title: string; readonly secret: string; readonly hint: ReactNode }

export function SecretOnce({ title, secret, hint }: SecretOnceProps) {
  return (
    <Focused className="notice good" role="status">
      <div className="secret-once">
        <p className="strong">{title}</p>
        <p className="secret-line">
          <code className="mono" id="secret-once">
            {secret}
          </code>
          <CopyButton name="the secret" text={secret} />
        </p>
        <p className="small">{hint}</p>
      </div>
    </Focused>
  )
}
