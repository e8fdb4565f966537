/** Reads the request and the answer of an event, and makes a command line of the request. */

import type { StoredEvent } from '#lib/ports/events.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

export type ShownRequest = {
  readonly method: string
  readonly endpoint: string
  /** The parameters that were sent. A value is `null` if it was not stored because it may be a secret. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string | null]>
  /** The number of sent parameters with unknown names; 0 outside `/connect`. */
  readonly others: number
  readonly authorization: string | null
}

export type ShownAnswer = {
  readonly status: number | null
  readonly error: string | null
  readonly description: string | null
  /** The kinds of values that a successful request received, never the values. */
  readonly issued: string | null
}

type Details = Pick<StoredEvent, 'details'>

/** The request of an event; `null` if its method or endpoint is not known. */
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

/** The answer of an event; `null` if neither its status nor what it issued is known. */
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
 * The request as a command for a POSIX shell, with placeholders for values that were not stored. Returns `null` if only a part of
 * the path is known, or if the method is neither GET nor POST.
 *
 * NOTE: every value is quoted, because anyone can send one and an admin pastes the command.
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
