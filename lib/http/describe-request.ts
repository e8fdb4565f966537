/** Describes a refused request for its events: what was sent and what was answered, without secrets and bounded in size. */
import type { SentAnswer, SentRequest } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import { readSent } from './read-params.ts'
import type { Reply } from './reply.ts'

const longestValue = 300

/** Parameters whose values contain no secret and no personal data. */
const shown: ReadonlySet<string> = new Set([
  'acr_values',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'grant_type',
  'max_age',
  'prompt',
  'response_mode',
  'response_type',
  'scope',
  'token_type_hint',
  'ui_locales',
])

/** Their queries may contain what belongs to the client. */
const addresses: ReadonlySet<string> = new Set(['post_logout_redirect_uri', 'redirect_uri'])

/** Parameters that are listed without their values. A name that is not known may be a secret itself. */
const hidden: ReadonlySet<string> = new Set([
  'access_token',
  'assertion',
  'claims',
  'client_assertion',
  'client_assertion_type',
  'client_secret',
  'code',
  'code_verifier',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  'nonce',
  'password',
  'refresh_token',
  'request',
  'request_uri',
  'state',
  'token',
  'username',
])

export type RequestDescription = {
  /** The same object each time; its answer is added by `addAnswer`. */
  readonly describe: () => SentRequest
  /** Adds the answer, if the request was described; it cannot be described after that. */
  readonly addAnswer: (reply: Reply) => void
}

/** NOTE: nothing is read before `describe` is called, and nothing of the request is kept after `addAnswer`. */
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
  const known = sent.filter(([name]) => isKnown(name))
  return {
    method: request.method,
    endpoint: pattern,
    parameters: Object.fromEntries(known.map(([name, value]) => [name, shownValue(name, value)])),
    others: sent.length - known.length,
    authorization: schemeOf(request.headers.get('authorization')),
    answer: null,
  }
}

function bareRequest(endpoint: string): SentRequest {
  return { method: '', endpoint, parameters: {}, others: 0, authorization: null, answer: null }
}

function isKnown(name: string): boolean {
  return shown.has(name) || addresses.has(name) || hidden.has(name)
}

function shownValue(name: string, value: string): string | null {
  if (hidden.has(name)) return null
  const whole = addresses.has(name) ? shownUri(value) : value
  return whole.length > longestValue ? `${whole.slice(0, longestValue)}…` : whole
}

function schemeOf(header: string | null): SentRequest['authorization'] {
  if (header === null) return null
  if (/^basic /i.test(header)) return 'Basic'
  return /^bearer /i.test(header) ? 'Bearer' : null
}

/** The error as the client gets it: in the JSON body, or in the address it is redirected to. */
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
