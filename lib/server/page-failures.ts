/** Where errors of pages are reported. On `globalThis`, because Next loads `instrumentation.ts` by itself. */
import type { RequestLog } from '#lib/http/exchange.ts'

const slot = Symbol.for('latchkey.page-failures')

type Report = RequestLog['failure']

/** Called once by our own server. Under another host Next's own report is all there is. */
export function declarePageFailures(report: Report): void {
  Reflect.set(globalThis, slot, report)
}

export function reportPageFailure(...failure: Parameters<Report>): void {
  const report: Report | undefined = Reflect.get(globalThis, slot)
  report?.(...failure)
}
