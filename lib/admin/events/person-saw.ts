/** What the person in the browser saw of a refusal. */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import type { StoredEvent } from '#lib/ports/event-log.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import type { RequestCheck } from '#lib/protocol/request-checks.ts'

export type Saw =
  /** An error page of ours; `text` is its key in the `errors` messages. */
  | { readonly kind: 'page'; readonly text: ErrorText }
  /** The sign-in form again, with a sentence above it. */
  | { readonly kind: 'form' }
  /** Nothing of ours: the browser went back to the app, which was told. */
  | { readonly kind: 'app_told' }

export type ErrorText = (typeof catalog)[ErrorCode]['text']

/** Until these have passed nothing may be sent to the app (RFC 9700 4.1.3). */
const shownHere: ReadonlySet<string> = new Set<RequestCheck>([
  'request_read',
  'client_known',
  'client_enabled',
  'redirect_uri_registered',
])

const codes: Readonly<Record<string, ErrorCode>> = {
  client_disabled: 'unknown_client',
  client_test_over: 'request_expired',
  client_test_not_under_way: 'redirect_uri_mismatch',
  unexpected: 'server_error',
  sec_fetch_site: 'cross_site_post',
  origin_mismatch: 'cross_site_post',
  origin_missing: 'cross_site_post',
  choice_expired: 'request_expired',
  consent_expired: 'request_expired',
}

type Refusal = Pick<StoredEvent, 'name' | 'reason' | 'grantType' | 'details'>

/** `null` where no person is there to see anything. */
export function personSaw(event: Refusal, failed: CheckResult | null): Saw | null {
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

function isShownHere({ reason }: Refusal, failed: CheckResult | null): boolean {
  return failed === null ? codeIn(reason ?? '') !== undefined : shownHere.has(failed.check)
}

/** The endpoints that answer in JSON. */
function isForMachines({ details }: Refusal): boolean {
  const endpoint = String(details.endpoint ?? '')
  if (endpoint.startsWith('/connect/')) return !/^\/connect\/(authorize|endsession)/.test(endpoint)
  return !endpoint.startsWith('/') || endpoint.startsWith('/api/')
}

function pageOf({ reason }: Refusal): Saw {
  return { kind: 'page', text: catalog[codeIn(reason ?? '') ?? 'invalid_request'].text }
}

function codeIn(reason: string): ErrorCode | undefined {
  if (reason.startsWith('database_') || reason.endsWith('_queue_full')) return 'temporarily_unavailable'
  return codes[reason] ?? (isCode(reason) ? reason : undefined)
}

function isCode(reason: string): reason is ErrorCode {
  return Object.hasOwn(catalog, reason)
}
