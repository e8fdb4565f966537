'use client'
/** A field for redirect URIs, one on each line, with advice while they are typed. Its errors follow the rules of the server. */
import { useEffect, useRef, useState } from 'react'
import type { ClientKind } from '#lib/protocol/registration/client.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { redirectUriProblem } from '#lib/protocol/wire/redirect-uri.ts'
import { rowsFor, TextArea } from '../_ui/fields.tsx'

type RedirectUrisFieldProps = {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly value: string
  /** The error of the server, which is shown until the text changes. */
  readonly error: string | null
  readonly about: About
}

export function RedirectUrisField({ about, help, error, ...field }: RedirectUrisFieldProps) {
  const area = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState({ text: '', isChanged: false })
  // Browsers restore typed text without an event
  useEffect(() => setTyped({ text: textIn(area.current), isChanged: false }), [])
  const remarks = adviseRedirectUris(typed.text, about)
  const refused = typed.isChanged ? null : error
  const shown = remarks.filter(({ level }) => level !== 'error' || refused === null)
  return (
    <div ref={area} onInput={() => setTyped({ text: textIn(area.current), isChanged: true })}>
      <TextArea
        {...field}
        help={`${help} One per line.`}
        error={refused}
        isInvalid={shown.some(({ level }) => level === 'error')}
        rows={rowsFor(field.value)}
      />
      <ul className="advice list" aria-live="polite">
        {shown.map(({ line, level, sentence }) => (
          <li key={`${line} ${sentence}`} className={`small ${level}`}>
            <span className="strong">Line {line}: </span>
            {sentence}
          </li>
        ))}
      </ul>
    </div>
  )
}

function textIn(field: HTMLElement | null): string {
  return field?.querySelector('textarea')?.value ?? ''
}

type Remark = {
  /** The line in the text, counted from 1. */
  readonly line: number
  /** The severity of the remark. `error`: the server would refuse the URI. */
  readonly level: 'error' | 'warning' | 'hint'
  readonly sentence: string
}

type About = {
  readonly kind: ClientKind
  readonly applicationType: 'web' | 'native'
  readonly issuer: string
  /** The registered redirect URIs, to which the rules for new URIs do not apply. */
  readonly stored?: readonly string[]
}
type Numbered = { readonly line: number; readonly uri: string }

/** The most serious remark about each line, if there is one. Empty lines are ignored. */
export function adviseRedirectUris(text: string, about: About): readonly Remark[] {
  const all = text
    .split('\n')
    .map((line, index) => ({ line: index + 1, uri: line.trim() }))
    .filter(({ uri }) => uri !== '')
  return all.flatMap(one => {
    const remark = refusal(one, about) ?? warning(one, all, about) ?? hint(one, about)
    return remark === null ? [] : [remark]
  })
}

function refusal({ line, uri }: Numbered, { applicationType, stored = [] }: About): Remark | null {
  const problem = redirectUriProblem(uri, applicationType, stored.includes(uri) ? 'stored' : 'form')
  if (problem === null) return null
  return { line, level: 'error', sentence: `${capitalized(problem)}.` }
}

function warning({ line, uri }: Numbered, all: readonly Numbered[], { issuer }: About): Remark | null {
  const before = all.find(other => other.line < line && other.uri === uri)
  if (before !== undefined) return warn(line, `This is the same as line ${before.line}.`)
  const twin = all.find(other => other.line !== line && other.uri === twinOf(uri))
  if (twin !== undefined)
    return warn(line, `Line ${twin.line} differs only by a trailing slash. Does the app really send both?`)
  const url = new URL(uri)
  if (url.origin === new URL(issuer).origin)
    return warn(line, 'This is an address of this server, not of the app.')
  if (/[?&](token|password|secret)=/i.test(url.search))
    return warn(line, 'The query contains a name that looks like a secret.')
  if (/(^|\.)xn--/.test(url.hostname))
    return warn(line, `Browsers show this host in other letters: make sure that ${url.hostname} is meant.`)
  return null
}

function hint({ line, uri }: Numbered, { kind }: About): Remark | null {
  const url = new URL(uri)
  if (kind === 'native' && url.hostname === 'localhost')
    return {
      line,
      level: 'hint',
      sentence:
        'Prefer http://127.0.0.1 and http://[::1]: then any port is accepted, and the address does not depend on name resolution.',
    }
  if (url.hostname === 'localhost')
    return { line, level: 'hint', sentence: 'For development only: remove it before the app is in use.' }
  if (uri !== url.href && uri !== url.href.slice(0, -1))
    return {
      line,
      level: 'hint',
      sentence: `Browsers write this ${url.href}; the app must send it exactly as written.`,
    }
  if (url.pathname === '/' && kind !== 'native')
    return { line, level: 'hint', sentence: 'Most apps use a separate path, such as /callback.' }
  return null
}

function warn(line: number, sentence: string): Remark {
  return { line, level: 'warning', sentence }
}

function twinOf(uri: string): string {
  return uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`
}
