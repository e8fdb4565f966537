/** Remarks about redirect URIs while they are entered. Also runs in the browser; errors follow the rules of the server. */
import { capitalised } from '../text/display-text.ts'
import { redirectUriProblem, responseParameterIn, severalAddresses } from '../wire/redirect-uri.ts'
import type { ClientKind } from './client.ts'

type RedirectUriRemark = {
  /** Counted from 1. */
  readonly line: number
  /** `error`: it would be refused. */
  readonly level: 'error' | 'warning' | 'hint'
  readonly sentence: string
}

type About = {
  readonly kind: ClientKind
  readonly applicationType: 'web' | 'native'
  readonly issuer: string
  /** The registered ones: rules for new redirect URIs do not apply to them. */
  readonly stored?: readonly string[]
}
type Numbered = { readonly line: number; readonly uri: string }

/** One remark at most for each line that is not empty: the most serious. */
export function adviseRedirectUris(text: string, about: About): readonly RedirectUriRemark[] {
  const all = text
    .split('\n')
    .map((line, index) => ({ line: index + 1, uri: line.trim() }))
    .filter(({ uri }) => uri !== '')
  return all.flatMap(one => {
    const remark = refusal(one, about) ?? warning(one, all, about) ?? hint(one, about)
    return remark === null ? [] : [remark]
  })
}

function refusal({ line, uri }: Numbered, { applicationType, stored = [] }: About): RedirectUriRemark | null {
  const ofNew = stored.includes(uri) ? null : (severalAddresses(uri) ?? responseParameterIn(uri))
  const problem = redirectUriProblem(uri, applicationType) ?? ofNew
  if (problem === null) return null
  return { line, level: 'error', sentence: `${capitalised(problem)}.` }
}

function warning(
  { line, uri }: Numbered,
  all: readonly Numbered[],
  { issuer }: About,
): RedirectUriRemark | null {
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

function hint({ line, uri }: Numbered, { kind }: About): RedirectUriRemark | null {
  const url = new URL(uri)
  if (kind === 'native' && url.hostname === 'localhost')
    return {
      line,
      level: 'hint',
      sentence:
        'Better http://127.0.0.1 and http://[::1]: any port then fits, and no host file is in between.',
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

function warn(line: number, sentence: string): RedirectUriRemark {
  return { line, level: 'warning', sentence }
}

function twinOf(uri: string): string {
  return uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`
}
