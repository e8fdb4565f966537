/**
 * The results of pages in progress that Next does not pass on. They are on `globalThis`, because Next loads its own
 * copy of this file.
 */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { RequestLog } from '#lib/http/exchange.ts'

const slot = Symbol.for('latchkey.page-outcomes')

export type PageOutcome = {
  /** The reason why the page failed; `null` when nothing was reported. */
  readonly failure: unknown
  /** The status of a rendered page; `null` keeps Next's. */
  readonly status: number | null
}

type Outcomes = { readonly report: RequestLog['failure']; readonly pages: Map<string, PageOutcome> }

const none: PageOutcome = { failure: null, status: null }

/** Begins to store outcomes. Called once at the start. */
export function declarePageOutcomes(report: RequestLog['failure']): void {
  const outcomes: Outcomes = { report, pages: new Map() }
  Reflect.set(globalThis, slot, outcomes)
}

/** Stores the outcome of the page with this request ID until `forgetPage`. */
export function watchPage(requestId: string): void {
  declared()?.pages.set(requestId, none)
}

export function outcomeOfPage(requestId: string): PageOutcome {
  return declared()?.pages.get(requestId) ?? none
}

export function forgetPage(requestId: string): void {
  declared()?.pages.delete(requestId)
}

/** Sets the status of a page that shows a refusal, which Next would send with status 200. */
export function setPageStatus(requestId: string, status: 403 | 404): void {
  change(requestId, { status })
}

/**
 * Reports an error of a page. Expected refusals, such as an unavailable database, are only in the line of the page in
 * the log.
 */
export function reportPageFailure(
  error: unknown,
  fields: { readonly pattern: string; readonly requestId: string },
): void {
  change(fields.requestId, { failure: error })
  if (!isOauthError(error) && !isClosedConnection(error)) declared()?.report(error, fields)
}

function change(requestId: string, changes: Partial<PageOutcome>): void {
  const pages = declared()?.pages
  const known = pages?.get(requestId)
  if (known !== undefined) pages?.set(requestId, { ...known, ...changes })
}

function declared(): Outcomes | undefined {
  return Reflect.get(globalThis, slot)
}

/**
 * Whether a request failed because its client closed the connection while the body was arriving. NOTE: Next makes a
 * `Request` of the incoming message; if it was aborted, undici refuses it with this message, which names the wrong
 * object.
 */
export function isClosedConnection(error: unknown): boolean {
  return (
    error instanceof TypeError && error.message === 'Response body object should not be disturbed or locked'
  )
}
