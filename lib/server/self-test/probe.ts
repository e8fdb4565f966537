/** Sends the requests of the self-test to the public address, and nowhere else. */
import { z } from 'zod'
import { parseJson } from '#lib/protocol/text/json-text.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { type Answer, ask, type NoAnswer } from '../doctor/ask.ts'
import { type Finding, failure, good } from '../doctor/finding.ts'

/** A response; `status` 0: there was none. */
export type Reply = {
  readonly status: number
  readonly header: (name: string) => string
  readonly body: string
  /** The body as a JSON object; `{}` if it is not one. */
  readonly json: Readonly<Record<string, unknown>>
  /** The address of the redirect; `null` without one. */
  readonly location: URL | null
}

type Extra = {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Makes it a POST request. */
  readonly form?: Readonly<Record<string, string>>
}

export type Probe = (path: string, extra?: Extra) => Promise<Reply>

/** Returns the function that sends requests to this issuer. */
export function probeOf(issuer: string): Probe {
  return async (path, { query, headers, form } = {}) => {
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
    return replyOf(issuer, await ask(ownUrl(issuer, `${path}${search}`), headers, form ?? null))
  }
}

const objectSchema = z.record(z.string(), z.unknown())

function replyOf(issuer: string, answer: Answer | NoAnswer): Reply {
  if (answer.kind === 'none') return { status: 0, header: () => '', body: '', json: {}, location: null }
  const { status, headers, body } = answer
  return {
    status,
    header: name => String(headers[name] ?? ''),
    body,
    json: objectSchema.safeParse(parseJson(body)).data ?? {},
    location: headers.location === undefined ? null : URL.parse(headers.location, issuer),
  }
}

/** Makes the finding of one check. `wrong`: what is wrong if `isRight` is false; `text`: the rule. */
export function verdict(
  check: string,
  isRight: boolean,
  [text, wrong, fix = 'Check whether a proxy changes requests or responses.']: readonly [
    text: string,
    wrong: string,
    fix?: string,
  ],
): Finding {
  return isRight ? good(check, text) : failure(check, wrong, fix)
}
