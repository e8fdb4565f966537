/** Rules for registered redirect URIs. */
import { isLoopbackHost } from '../text/addresses.ts'

type ApplicationType = 'web' | 'native'

const longestRedirectUri = 2000
/** Schemes that run, read or show content instead of passing the response to an app. */
const dangerousSchemes: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'file',
  'vbscript',
  'blob',
  'about',
  'filesystem',
  'view-source',
  'jar',
  'ws',
  'wss',
  'ftp',
])

/**
 * The source of a redirect URI. `stored`: it is already registered, so rules that were added later do not apply.
 * `form`: a line of a text field, in which a comma before a scheme probably separates two URIs. `file`: an item of a
 * list in a document, which may contain such a comma.
 */
export type RedirectUriOrigin = 'stored' | 'file' | 'form'

/** Returns the end of a sentence that refuses the URI; `null` if it may be registered. */
export function redirectUriProblem(
  uri: string,
  applicationType: ApplicationType,
  origin: RedirectUriOrigin,
): string | null {
  const several = origin === 'form' ? severalAddresses(uri) : null
  const parameter = origin === 'stored' ? null : responseParameterIn(uri)
  return basicProblem(uri, applicationType) ?? several ?? parameter
}

/** Checks the rules for every URI, such as those of RFC 9700 2.6, RFC 8252 7.1 and 7.3. */
function basicProblem(uri: string, applicationType: ApplicationType): string | null {
  const url = parse(uri)
  if (uri.length > longestRedirectUri) return `must not be longer than ${longestRedirectUri} characters`
  if (/\s\S*:/.test(uri.trim())) return `contains several addresses: ${eachOnItsLine}`
  if (/[^\x21-\x7e]/.test(uri)) return 'must contain only visible ASCII characters; percent-encode the others'
  if (uri.includes('\\')) return 'must not contain a backslash'
  if (uri.includes('#')) return 'must not have a fragment'
  if (uri.includes('*')) return 'must not contain "*": addresses are compared exactly, so register each one'
  if (url === null)
    return withoutScheme(uri) ?? 'must be an absolute URI such as "https://app.example/callback"'
  const scheme = url.protocol.slice(0, -1)
  if (dangerousSchemes.has(scheme)) return `must not use the scheme "${scheme}"`
  if (scheme === 'http' || scheme === 'https') return webAddressProblem(uri, url)
  const problem = privateSchemeProblem(scheme, url, applicationType)
  return problem === null ? null : (withoutScheme(uri) ?? problem)
}

/** Explains why a text looks like several addresses on one line, although it could be one: a URI may contain commas. */
function severalAddresses(uri: string): string | null {
  return /^[^?]*[,;][a-z][a-z0-9+.-]*:\/\//i.test(uri) ? `contains several addresses: ${eachOnItsLine}` : null
}

/**
 * The parameters of responses: RFC 6749 4.1.2 and 4.2.2, OpenID Connect Core 3.3.2.5, RFC 9207, JARM, and Session
 * Management.
 */
const responseParameters: ReadonlySet<string> = new Set([
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'access_token',
  'token_type',
  'expires_in',
  'scope',
  'id_token',
  'response',
  'session_state',
])

/** Explains which query parameter of the URI would be mistaken for one of a response. */
function responseParameterIn(uri: string): string | null {
  const url = parse(uri)
  const name =
    url === null ? undefined : [...url.searchParams.keys()].find(key => responseParameters.has(key))
  return name === undefined ? null : `must not contain the response parameter "${name}" in its query`
}

const eachOnItsLine = 'write each address on a separate line'

function parse(uri: string): URL | null {
  return URL.canParse(uri) ? new URL(uri) : null
}

/**
 * Explains a URI without a scheme, such as `localhost:8080/cb`: the URL parser takes its host for the scheme, or
 * refuses it. `null` for other texts.
 */
function withoutScheme(uri: string): string | null {
  const [, host, port] = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d+)?(?:[/?]|$)/i.exec(uri) ?? []
  if (host === undefined) return null
  const isLoopback = isLoopbackHost(host)
  const isHost = isLoopback || port !== undefined || /\.[a-z]{2,}$/i.test(host)
  return isHost ? `lacks "${isLoopback ? 'http' : 'https'}://" in front` : null
}

function webAddressProblem(uri: string, url: URL): string | null {
  const authority = /^https?:\/\/([^/?]+)/i.exec(uri)?.[1]
  if (authority === undefined) return 'must have "//" and a host after its scheme'
  if (authority.includes('@')) return 'must not contain a user name or password'
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'must use https; http is for loopback addresses only'
  }
  return null
}

function privateSchemeProblem(scheme: string, url: URL, applicationType: ApplicationType): string | null {
  if (!scheme.includes('.'))
    return `must use https, or a scheme with a dot in its name such as "com.example.app", not "${scheme}"`
  if (applicationType !== 'native')
    return `uses the private scheme "${scheme}", which needs "application_type": "native"`
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  return null
}
