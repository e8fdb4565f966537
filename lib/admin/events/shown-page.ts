/** What the person in the browser saw of a refusal. */
import { pageTextOf } from '#lib/errors/catalog.ts'
import { checkOf, isErrorReason, reasons } from '#lib/errors/reasons.ts'
import type { CheckResult, StoredEvent } from '#lib/ports/events.ts'
import type { RequestCheck } from '#lib/protocol/wire/request-checks.ts'
import { reasonOf } from './reason-words.ts'

export type ShownPage =
  /** An error page of ours; `text` is its key in the `errors` messages. */
  | { readonly kind: 'page'; readonly text: ErrorText }
  /** The sign-in form again, with a sentence above it. */
  | { readonly kind: 'form' }
  /** Nothing of ours: the browser went back to the app, which was told. */
  | { readonly kind: 'app_told' }

export type ErrorText = ReturnType<typeof pageTextOf>

/** Until these have passed nothing may be sent to the app (RFC 9700 4.1.3). */
const shownHere: ReadonlySet<string> = new Set<RequestCheck>([
  'request_read',
  'client_known',
  'client_enabled',
  'redirect_uri_registered',
])

type Refusal = Pick<StoredEvent, 'name' | 'reason' | 'grantType' | 'details'>

/** `null` where no person is there to see anything. */
export function shownPageOf(event: Refusal, failed: CheckResult | null): ShownPage | null {
  switch (event.name) {
    case 'authorize_refused':
      return isShownHere(event, failed) ? pageOf(event) : { kind: 'app_told' }
    case 'sign_in_failed':
    case 'sign_in_limited':
    case 'external_sign_in_failed':
      return event.grantType === null ? { kind: 'form' } : null
    case 'request_refused':
      return isForMachines(event) ? null : pageOf(event)
    default:
      return null
  }
}

function isShownHere(event: Refusal, failed: CheckResult | null): boolean {
  const reason = reasonOf(event)
  const check = failed?.check ?? (reason === null ? null : checkOf(reason))
  if (check !== null && shownHere.has(check)) return true
  return failed === null && !['badRequest', 'accessDenied'].includes(pageOf(event).text)
}

/** The endpoints that answer in JSON. */
function isForMachines({ details }: Refusal): boolean {
  const endpoint = String(details.endpoint ?? '')
  if (endpoint.startsWith('/connect/')) return !/^\/connect\/(authorize|endsession)/.test(endpoint)
  return !endpoint.startsWith('/') || endpoint.startsWith('/api/')
}

function pageOf(event: Refusal) {
  const reason = reasonOf(event)
  const code = reason !== null && isErrorReason(reason) ? reasons[reason].error : 'invalid_request'
  return { kind: 'page', text: pageTextOf(code) } as const
}
