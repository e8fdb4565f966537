/** Describes a refused request for its events: the parameters and the answer, without secrets and limited in size. */
import type { SentAnswer, SentRequest } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import { rulesOf } from '#lib/protocol/wire/parameters.ts'
import { readSent } from './read-params.ts'
import type { Reply } from './reply.ts'

const longestValue = 300

export type RequestDescription = {
  /** Describes the request. Returns the same object at each call; `addAnswer` adds the answer to it. */
  readonly describe: () => SentRequest
  /** Adds the answer, if the request was described. A first description after that contains only the pattern. */
  readonly addAnswer: (reply: Reply) => void
}

/**
 * Creates the description. NOTE: nothing is read before `describe` is called, and the request itself is not kept after
 * `addAnswer`.
 */
export function requestDescription(request: Request, pattern: string): RequestDescription {
  let source: Request | null = request
  let described: SentRequest | null = null
  return {
    describe: () => {
      described ??= source === null ? bareRequest(pattern) : sentRequest(source, pattern)
      return described
    },
    addAnswer: reply => {
      source = null
      if (described !== null) described.answer = answerOf(reply)
    },
  }
}

function sentRequest(request: Request, pattern: string): SentRequest {
  const sent = readSent(request)
  const known = sent.filter(([name]) => rulesOf(name) !== null)
  return {
    method: request.method,
    endpoint: pattern,
    parameters: shownParameters(known),
    // The forms of pages have fields of this server, which are not parameters
    others: pattern.startsWith('/connect/') ? sent.length - known.length : 0,
    authorization: schemeOf(request.headers.get('authorization')),
    answer: null,
  }
}

/** Returns the values by name; several values of one name are separated by commas. `null`: the value is not shown. */
function shownParameters(known: ReadonlyArray<readonly [name: string, value: string]>) {
  const byName = Map.groupBy(known, ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, sent]) => {
      const values = sent.map(([, value]) => shownValue(name, value))
      return [name, values.includes(null) ? null : values.join(', ')] as const
    }),
  )
}

function bareRequest(endpoint: string): SentRequest {
  return { method: '', endpoint, parameters: {}, others: 0, authorization: null, answer: null }
}

function shownValue(name: string, value: string): string | null {
  const shown = rulesOf(name)?.shown
  if (shown !== 'value' && shown !== 'uri') return null
  const whole = shown === 'uri' ? shownUri(value) : value
  return whole.length > longestValue ? `${whole.slice(0, longestValue)}…` : whole
}

function schemeOf(header: string | null): SentRequest['authorization'] {
  if (header === null) return null
  if (/^basic /i.test(header)) return 'Basic'
  return /^bearer /i.test(header) ? 'Bearer' : null
}

/** Returns the status, and the error if it is in a JSON body or in the query or fragment of a redirect. */
function answerOf({ status, headers, body }: Reply): SentAnswer {
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const { error, error_description: description } = isJson
    ? jsonObject(body)
    : Object.fromEntries(new URLSearchParams(headers.location?.split(/[?#]/).slice(1).join('&')))
  return { status, error: textOrNull(error), description: textOrNull(description) }
}

function jsonObject(body: string | null): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body ?? 'null')
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, longestValue) : null
}
