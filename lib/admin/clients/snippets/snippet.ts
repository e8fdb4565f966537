/** What a snippet is made from, and what it is. */
import type { ClientKind } from '#lib/protocol/registration/client.ts'

export type SnippetValues = {
  readonly issuer: string
  readonly clientId: string
  readonly kind: ClientKind
  /** Whether the client proves itself by a secret. */
  readonly hasSecret: boolean
  readonly redirectUri: string
  readonly scopes: readonly string[]
}

export type SnippetFile = { readonly path: string; readonly content: string }

export type Snippet = {
  readonly id: string
  readonly title: string
  /** Commands or steps before the files. */
  readonly steps: readonly string[]
  readonly files: readonly SnippetFile[]
}

export type SnippetMaker = {
  readonly id: string
  readonly title: string
  readonly kinds: readonly ClientKind[]
  readonly make: (values: SnippetValues) => Pick<Snippet, 'steps' | 'files'>
}

/** A string literal that JavaScript, Go, C#, Java, Python and JSON all read the same way. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A value of a `.env` or properties file. */
export function envValue(text: string): string {
  return text.replace(/[\r\n]/g, ' ')
}

/** The line of an environment file that the secret goes into; none for a public client. */
export function secretLine({ hasSecret }: SnippetValues): readonly string[] {
  return hasSecret ? ['LATCHKEY_CLIENT_SECRET='] : []
}

/** The secret in JavaScript. */
export function secretValue({ hasSecret }: SnippetValues): string {
  return hasSecret ? 'process.env.LATCHKEY_CLIENT_SECRET' : 'undefined'
}

/** Only for an issuer on this machine: libraries otherwise insist on https. */
export function overHttp({ issuer }: SnippetValues, code: string): string {
  return issuer.startsWith('http:') ? code : ''
}

/** For frameworks with a fixed redirect URI: the step that registers it, unless it is registered. */
export function registering({ redirectUri }: SnippetValues, path: string): readonly string[] {
  const address = `${new URL(redirectUri).origin}${path}`
  return address === redirectUri ? [] : [`Register ${address} as a redirect URI.`]
}
