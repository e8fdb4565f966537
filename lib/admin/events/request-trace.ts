/** Reads the trace of one request, such as its checks, the cause of a failure, the remedy, and all events of the sign-in. */
import { adminList } from '#lib/config/limits.ts'
import { pageTextOf } from '#lib/errors/catalog.ts'
import type { CheckResult, RequestCheck } from '#lib/errors/checks.ts'
import { isErrorReason, reasonRow, reasons } from '#lib/errors/reasons.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { type Marked, markCharacters } from '#lib/protocol/text/marked-difference.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type Names, namesIn } from '../names.ts'
import type { Actor } from '../use-case.ts'
import { apiHint } from './api-hint.ts'
import { eventSentence } from './event-sentence.ts'
import { reasonOf, reasonTextOf, reasonWords, withImpliedReason } from './reason-words.ts'
import { refreshHint } from './refresh-hint.ts'
import { type Remedy, remedyFor } from './remedy.ts'
import { answerOf, type ShownAnswer, type ShownRequest, sentRequestOf } from './sent-request.ts'
import { stoppedAt } from './stopped-step.ts'

export type RequestTrace = {
  readonly requestId: string
  /** The first failure, since it causes the later ones; without a failure the last event of the request. */
  readonly main: StoredEvent
  readonly sentence: string
  readonly checks: readonly CheckResult[]
  readonly failed: CheckResult | null
  /** The cause of the failed check. */
  readonly whyFailed: string
  /** The sent value and the valid value that is most similar, with the difference marked. */
  readonly difference: {
    readonly sent: Marked
    readonly expected: Marked
    readonly others: readonly string[]
  } | null
  readonly remedy: Remedy | null
  readonly shownPage: ShownPage | null
  /** The request, if it was recorded with the event. */
  readonly request: ShownRequest | null
  readonly answer: ShownAnswer | null
  /** Advice about issued tokens: for APIs that refuse them, and for a client that misses a refresh token. */
  readonly hints: readonly string[]
  /** The events of the sign-in, oldest first, those of this request included. */
  readonly related: ReadonlyArray<{ readonly event: StoredEvent; readonly sentence: string }>
  /** The step at which the sign-in waits or ended; `null` if it was answered. */
  readonly stopped: string | null
  /** The time from the first of the related events to the last. */
  readonly durationMs: number
  readonly names: Names
}

type TracePorts = Pick<
  AdminPorts,
  | 'clock'
  | 'eventLog'
  | 'flushEvents'
  | 'clients'
  | 'adminLists'
  | 'users'
  | 'scopes'
  | 'administrators'
  | 'settings'
>

/**
 * Reads a trace. Returns `null` if no event has this request ID. The trace offers and links only what the role of `reader`
 * permits.
 */
export async function readRequestTrace(
  ports: TracePorts,
  requestId: string,
  reader: Pick<Actor, 'role'>,
): Promise<RequestTrace | null> {
  await ports.flushEvents()
  const own = await ports.eventLog.related({ requestId }, adminList.largestPage)
  const found = own.find(({ outcome }) => outcome === 'failure') ?? own.at(-1)
  if (found === undefined) return null
  const events = await fullSignIn(ports, own)
  const main = withImpliedReason({ ...found, subject: found.subject ?? subjectOfGrant(events, found) })
  const names = await namesIn(ports, events)
  const checks = own.find(event => event.checks !== null)?.checks ?? []
  const failed = checks.find(({ result }) => result === 'failed') ?? null
  return {
    requestId,
    main,
    sentence: eventSentence(main, names),
    checks,
    failed,
    whyFailed: capitalized(reasonWords(main.reason ?? 'it failed')),
    difference: differenceOf(failed),
    remedy: isExplained(main) ? await remedyFor(ports, main, failed, reader) : null,
    shownPage: isExplained(main) ? shownPageOf(main, failed) : null,
    request: sentRequestOf(main),
    answer: answerOf(main),
    hints: [refreshHint(main, events), await apiHint(ports, main)].filter(hint => hint !== null),
    related: events.map(event => ({ event, sentence: eventSentence(event, names) })),
    stopped: stoppedAt(events, ports.clock.now()),
    durationMs: durationOf(events),
    names,
  }
}

/** Whether the event is a failure, or has a reason that needs an explanation although nothing failed. */
function isExplained(event: StoredEvent): boolean {
  return event.outcome === 'failure' || reasonTextOf(event)?.isNeutral === true
}

/** Finds the user of an event's grant in other events of the sign-in. */
function subjectOfGrant(events: readonly StoredEvent[], { grantId }: StoredEvent): string | null {
  if (grantId === null) return null
  return events.find(event => event.grantId === grantId && event.subject !== null)?.subject ?? null
}

function durationOf(events: readonly StoredEvent[]): number {
  const times = events.map(({ time }) => time.getTime())
  return Math.max(...times) - Math.min(...times)
}

/** The events with a flow or grant of these events. A second round adds those with a flow or grant that the first found. */
async function fullSignIn(ports: TracePorts, own: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
  const known = new Map(own.map(event => [event.id, event]))
  for (let round = 0; round < 2; round += 1) {
    const events = [...known.values()]
    const keys = {
      flows: given(events.map(({ flow }) => flow)),
      grantIds: given(events.map(({ grantId }) => grantId)),
    }
    if (keys.flows.length + keys.grantIds.length === 0) break
    for (const event of await ports.eventLog.related(keys, adminList.largestPage)) known.set(event.id, event)
  }
  return [...known.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1))
}

function given(keys: readonly (string | null)[]): readonly string[] {
  return [...new Set(keys.filter(key => key !== null))]
}

function differenceOf(failed: CheckResult | null): RequestTrace['difference'] {
  const { sent, expected = [] } = failed ?? {}
  const right = sent === undefined ? null : nearest(sent, expected)
  if (sent === undefined || right === null) return null
  const [markedSent, markedRight] = markCharacters(sent, right)
  return { sent: markedSent, expected: markedRight, others: expected.filter(other => other !== right) }
}

/** The registered text that is most similar to the sent one; `null` if none is registered. */
export function nearest(sent: string, registered: readonly string[]): string | null {
  const ranked = registered.toSorted((one, other) => distance(sent, one) - distance(sent, other))
  return ranked[0] ?? null
}

function distance(left: string, right: string): number {
  return Math.max(...markCharacters(left, right).map(({ changed }) => changed.length))
}

export type ShownPage =
  /** An error page; `text` is its key in the `errors` messages. */
  | { readonly kind: 'page'; readonly text: ErrorText }
  /** The sign-in form was shown again, with a sentence above it. */
  | { readonly kind: 'form' }
  /** The browser was redirected to the client with the error, and saw no page of this server. */
  | { readonly kind: 'redirect' }

export type ErrorText = ReturnType<typeof pageTextOf>

/**
 * The checks whose failure is shown on a page of this server. The browser is redirected to a client only after the first four
 * have passed (RFC 9700 4.1.3); a client that received a rate limit error could send the browser back immediately.
 */
const ownPageChecks: ReadonlySet<string> = new Set<RequestCheck>([
  'request_read',
  'client_known',
  'client_enabled',
  'redirect_uri_registered',
  'rate_limit_not_exceeded',
])

type Refusal = Pick<StoredEvent, 'name' | 'reason' | 'grantType' | 'details'>

/** Describes what the browser showed after a refusal; `null` for other events, and for requests that no browser sent. */
export function shownPageOf(event: Refusal, failed: CheckResult | null): ShownPage | null {
  switch (event.name) {
    case 'authorize_refused':
      return isOwnPage(event, failed) ? pageOf(event) : { kind: 'redirect' }
    case 'sign_in_failed':
    case 'sign_in_limited':
    case 'external_sign_in_failed':
      return event.grantType === null ? { kind: 'form' } : null
    case 'request_refused':
      return isApiEndpoint(event) ? null : pageOf(event)
    default:
      return null
  }
}

function isOwnPage(event: Refusal, failed: CheckResult | null): boolean {
  const reason = reasonOf(event)
  const check = failed?.check ?? (reason === null ? null : (reasonRow(reason).check ?? null))
  if (check !== null && ownPageChecks.has(check)) return true
  return failed === null && !['badRequest', 'accessDenied'].includes(pageOf(event).text)
}

/** Whether apps send requests to this endpoint, not browsers; `true` if it is unknown. */
function isApiEndpoint({ details }: Refusal): boolean {
  const endpoint = String(details.endpoint ?? '')
  if (endpoint.startsWith('/connect/')) return !/^\/connect\/(authorize|endsession)/.test(endpoint)
  return !endpoint.startsWith('/') || endpoint.startsWith('/api/')
}

function pageOf(event: Refusal) {
  const reason = reasonOf(event)
  const code = reason !== null && isErrorReason(reason) ? reasons[reason].error : 'invalid_request'
  return { kind: 'page', text: pageTextOf(code) } as const
}
