/** The trace of one request: what was checked, what failed and why, and the sign-in it belongs to. */
import { adminList } from '#lib/config/limits.ts'
import type { CheckResult, StoredEvent } from '#lib/ports/events.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { markDifference, nearest } from './difference.ts'
import { eventSentence } from './event-sentence.ts'
import { type Names, namesIn } from './names.ts'
import { reasonWords } from './reason-words.ts'
import { type Remedy, remedyFor } from './remedy.ts'
import { answerOf, type ShownAnswer, type ShownRequest, sentRequestOf } from './sent-request.ts'
import { type ShownPage, shownPageOf } from './shown-page.ts'

export type RequestTrace = {
  readonly referenceId: string
  /** The first that failed, which is the cause of those after it; else the last of the request. */
  readonly main: StoredEvent
  readonly sentence: string
  readonly checks: readonly CheckResult[]
  readonly failed: CheckResult | null
  /** Why that check failed. */
  readonly whyFailed: string
  /** What was sent beside the nearest of what would have been right, with the difference marked. */
  readonly difference: (ReturnType<typeof markDifference> & { readonly others: readonly string[] }) | null
  readonly remedy: Remedy | null
  readonly shownPage: ShownPage | null
  /** What was sent, of a refused request. */
  readonly request: ShownRequest | null
  readonly answer: ShownAnswer | null
  /** The whole sign-in, oldest first, this request included. */
  readonly related: ReadonlyArray<{ readonly event: StoredEvent; readonly sentence: string }>
  /** From the first event of the whole sign-in to its last. */
  readonly durationMs: number
  readonly names: Names
}

type TracePorts = Pick<AdminPorts, 'eventLog' | 'flushEvents' | 'clients' | 'adminLists'>

/** `null` when nothing is known under this reference: it was mistyped, or is older than events are kept. */
export async function readRequestTrace(ports: TracePorts, referenceId: string): Promise<RequestTrace | null> {
  await ports.flushEvents()
  const own = await ports.eventLog.related({ referenceId }, adminList.largestPage)
  const main = own.find(({ outcome }) => outcome === 'failure') ?? own.at(-1)
  if (main === undefined) return null
  const events = await wholeSignIn(ports, own)
  const names = await namesIn(ports, events)
  const checks = own.find(event => event.checks !== null)?.checks ?? []
  const failed = checks.find(({ result }) => result === 'failed') ?? null
  return {
    referenceId,
    main,
    sentence: eventSentence(main, names),
    checks,
    failed,
    whyFailed: capitalised(reasonWords(main.reason ?? 'it failed')),
    difference: differenceOf(failed),
    remedy: main.outcome === 'failure' ? remedyFor(main, failed, await redirectUrisOf(ports, main)) : null,
    shownPage: main.outcome === 'failure' ? shownPageOf(main, failed) : null,
    request: sentRequestOf(main),
    answer: answerOf(main),
    related: events.map(event => ({ event, sentence: eventSentence(event, names) })),
    durationMs: durationOf(events),
    names,
  }
}

async function redirectUrisOf(
  { clients }: TracePorts,
  { clientId }: StoredEvent,
): Promise<readonly string[]> {
  const id = clientIdSchema.safeParse(clientId)
  const registered = id.success ? await clients.find(id.data) : null
  return registered?.client.redirectUris ?? []
}

function durationOf(events: readonly StoredEvent[]): number {
  const times = events.map(({ time }) => time.getTime())
  return Math.max(...times) - Math.min(...times)
}

/** From one request to its waiting request, to the grant, and to the requests that used it. */
async function wholeSignIn(ports: TracePorts, own: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
  const known = new Map(own.map(event => [event.id, event]))
  for (let round = 0; round < 2; round += 1) {
    const events = [...known.values()]
    const marks = {
      flows: given(events.map(({ flow }) => flow)),
      grantIds: given(events.map(({ grantId }) => grantId)),
    }
    if (marks.flows.length + marks.grantIds.length === 0) break
    for (const event of await ports.eventLog.related(marks, adminList.largestPage)) known.set(event.id, event)
  }
  return [...known.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1))
}

function given(marks: readonly (string | null)[]): readonly string[] {
  return [...new Set(marks.filter(mark => mark !== null))]
}

function differenceOf(failed: CheckResult | null): RequestTrace['difference'] {
  const { sent, expected = [] } = failed ?? {}
  const right = sent === undefined ? null : nearest(sent, expected)
  if (sent === undefined || right === null) return null
  return { ...markDifference(sent, right), others: expected.filter(other => other !== right) }
}
