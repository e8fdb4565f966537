/** Where errors of pages are reported. On `globalThis`, because Next loads `instrumentation.ts` by itself. */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { RequestLog } from '#lib/http/exchange.ts'

const slot = Symbol.for('latchkey.page-failures')

type Report = RequestLog['failure']
type Failures = { readonly report: Report; readonly causes: Map<string, unknown> }

/** Called once by our own server. Under another host Next's own report is all there is. */
export function declarePageFailures(report: Report): void {
  const failures: Failures = { report, causes: new Map() }
  Reflect.set(globalThis, slot, failures)
}

/** A refusal such as "the database is away" is no surprise: it stands in the page's own line of the log. */
export function reportPageFailure(
  error: unknown,
  fields: { readonly pattern: string; readonly referenceId: string },
): void {
  const failures = declared()
  if (failures?.causes.has(fields.referenceId) === true) failures.causes.set(fields.referenceId, error)
  if (!isOauthError(error)) failures?.report(error, fields)
}

/** From here to `forgetPageFailure` the cause of this page's failure is kept: the page itself does not tell it. */
export function watchPage(referenceId: string): void {
  declared()?.causes.set(referenceId, null)
}

/** `null` when nothing was reported. */
export function causeOfFailure(referenceId: string): unknown {
  return declared()?.causes.get(referenceId) ?? null
}

export function forgetPageFailure(referenceId: string): void {
  declared()?.causes.delete(referenceId)
}

function declared(): Failures | undefined {
  return Reflect.get(globalThis, slot)
}
