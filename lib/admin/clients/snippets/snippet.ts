/** The types of code snippets, and functions that write values in their languages. */
import type { ClientKind } from '#lib/protocol/registration/client.ts'

export type SnippetValues = {
  readonly issuer: string
  readonly clientId: string
  readonly kind: ClientKind
  /** Whether the client authenticates with a secret. */
  readonly hasSecret: boolean
  readonly redirectUri: string
  readonly scopes: readonly string[]
}

export type SnippetFile = { readonly path: string; readonly content: string }

export type Snippet = {
  readonly id: string
  readonly title: string
  /** Commands, or steps in words, which are shown above the files. */
  readonly steps: readonly string[]
  readonly files: readonly SnippetFile[]
}

export type SnippetMaker = {
  readonly id: string
  readonly title: string
  readonly kinds: readonly ClientKind[]
  readonly make: (values: SnippetValues) => Pick<Snippet, 'steps' | 'files'>
}

/**
 * Writes a text as a string literal for JavaScript, Go, C#, Java and Python. Characters above U+FFFF stay as they are: the
 * languages escape them differently.
 */
export function literal(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Quotes a text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Replaces line breaks, so that the text stays one value of a `.env` or properties file. */
export function envValue(text: string): string {
  return text.replace(/[\r\n]/g, ' ')
}

/** The line of an environment file for the secret; no line for a public client. */
export function secretLine({ hasSecret }: SnippetValues): readonly string[] {
  return hasSecret ? ['LATCHKEY_CLIENT_SECRET='] : []
}

/** The JavaScript expression for the secret. */
export function secretValue({ hasSecret }: SnippetValues): string {
  return hasSecret ? 'process.env.LATCHKEY_CLIENT_SECRET' : 'undefined'
}

/** Returns the code that allows plain http, which libraries refuse by default, or nothing for an issuer with https. */
export function overHttp({ issuer }: SnippetValues, code: string): string {
  return issuer.startsWith('http:') ? code : ''
}

/** The step that registers the fixed redirect URI of a framework, unless the client has it. */
export function registering({ redirectUri }: SnippetValues, path: string): readonly string[] {
  const address = `${new URL(redirectUri).origin}${path}`
  return address === redirectUri ? [] : [`Register ${address} as a redirect URI.`]
}
