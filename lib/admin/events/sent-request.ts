/** The request behind an event as it was sent, and the same as a command line. */

import type { StoredEvent } from '#lib/ports/events.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

export type ShownRequest = {
  readonly method: string
  readonly endpoint: string
  /** `null`: the value was not stored, since it may be a secret. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string | null]>
  /** How many more had names that are not known. */
  readonly others: number
  readonly authorization: string | null
}

export type ShownAnswer = {
  readonly status: number | null
  readonly error: string | null
  readonly description: string | null
  /** What a successful request got; never the value. */
  readonly issued: string | null
}

type Details = Pick<StoredEvent, 'details'>

/** `null` for successes, and for refusals that no endpoint recorded. */
export function sentRequestOf({ details }: Details): ShownRequest | null {
  const method = textIn(details, 'request.method')
  const endpoint = textIn(details, 'request.endpoint')
  if (method === null || method === '' || endpoint === null) return null
  const others = details['request.others']
  return {
    method,
    endpoint,
    parameters: Object.entries(details)
      .filter(([name]) => name.startsWith('sent.'))
      .map(([name, value]) => [name.slice('sent.'.length), value === null ? null : String(value)]),
    others: typeof others === 'number' ? others : 0,
    authorization: textIn(details, 'request.authorization'),
  }
}

/** `null` where neither the answer nor what was issued is known. */
export function answerOf({ details, name }: Details & Pick<StoredEvent, 'name'>): ShownAnswer | null {
  const status = details['answer.status']
  const issued = issuedBy(name, details)
  if (typeof status !== 'number' && issued === null) return null
  return {
    status: typeof status === 'number' ? status : null,
    error: textIn(details, 'answer.error'),
    description: textIn(details, 'answer.error_description'),
    issued,
  }
}

function issuedBy(name: StoredEvent['name'], details: StoredEvent['details']): string | null {
  if (name === 'tokens_issued') return 'tokens'
  return name === 'authorize_answered' ? textIn(details, 'responseType') : null
}

function textIn(details: StoredEvent['details'], name: string): string | null {
  const value = details[name]
  return typeof value === 'string' ? value : null
}

/**
 * The request for a POSIX shell, with placeholders for what was not stored; `null` where the path is not known whole.
 *
 * NOTE: anyone can send these values, and an admin pastes them: each is quoted.
 */
export function curlFor(issuer: string, request: ShownRequest): string | null {
  const { method, endpoint, parameters, authorization } = request
  if (!/^[\w/.-]+$/.test(endpoint) || !(method === 'GET' || method === 'POST')) return null
  const data = parameters.map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${value ?? `<${name}>`}`)}`,
  )
  const parts = [
    `curl --include${method === 'GET' ? ' --get' : ''} ${quoted(ownUrl(issuer, endpoint))}`,
    ...(authorization === 'Basic' ? [`--user ${quoted('<client_id>:<client_secret>')}`] : []),
    ...(authorization === 'Bearer' ? [`--header ${quoted('Authorization: Bearer <access_token>')}`] : []),
    ...(method === 'POST' && data.length === 0 ? ['--request POST'] : data),
  ]
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
