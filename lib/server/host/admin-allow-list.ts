/** AD-09: the IP allow-list of the dashboard and its API, checked before any page or endpoint. */
import { problem } from '#lib/admin/api/problem.ts'
import { addressMatcher } from '#lib/config/address-ranges.ts'
import type { Config } from '#lib/config/env.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { type AccessPageInput, addressNotAllowedReply } from '#lib/http/admin-access-page.ts'
import type { Reply } from '#lib/http/reply.ts'
import { problemReply } from '#lib/http/respond-problem.ts'
import type { Event } from '#lib/ports/events.ts'

/** Whether the allow-list refuses `path` to `address`. */
export type AdminAllowList = (path: string, address: string) => boolean

export function adminAllowList({ adminAddresses }: Pick<Config, 'adminAddresses'>): AdminAllowList {
  if (adminAddresses === null) return () => false
  const isListed = addressMatcher(adminAddresses)
  return (path, address) => isAdminPath(path) && !isListed(address)
}

function isAdminPath(path: string): boolean {
  return /^\/+(api\/+)?admin\b/i.test(normalized(path))
}

/**
 * Resolves a path. NOTE: Next may resolve and decode a path before it looks for a page: `/%61dmin`, `/x/%2e%2e/admin`.
 */
function normalized(path: string): string {
  return resolved(decodeURIComponent(resolved(path)))
}

function resolved(path: string): string {
  return new URL(`http://origin.invalid${path}`).pathname
}

/** Makes the event of a refusal. It does not contain the path, because the caller can choose it freely. */
export function addressRefusedEvent(path: string): Event {
  const details = { endpoint: isApi(path) ? '/api/admin' : '/admin' }
  return { name: 'admin_refused', outcome: 'failure', reason: 'address_not_allowed', details }
}

/** Makes the reply in the format that the caller of the path expects. */
export function addressRefusedReply(
  path: string,
  visitor: AccessPageInput & { readonly requestId: string },
): Reply {
  if (!isApi(path)) return addressNotAllowedReply(visitor)
  const detail = 'Your IP address is not allowed to use the admin API.'
  return problemReply(problem('denied', { detail, requestId: visitor.requestId }))
}

function isApi(path: string): boolean {
  return /^\/+api\b/i.test(normalized(path))
}

/**
 * Refuses an allow-list under a host that does not determine the address of the caller; only this project's server
 * does.
 * @param isKnown whether that server runs in this process
 * @throws ConfigError under another host, where the allow-list would have no effect
 */
export function requireKnownAddresses(
  { adminAddresses }: Pick<Config, 'adminAddresses'>,
  isKnown: boolean,
): void {
  if (adminAddresses === null || isKnown) return
  throw new ConfigError(
    `LATCHKEY_ADMIN_ADDRESSES is "${adminAddresses.join(',')}", but this host does not report the addresses of its callers; start Latchkey with "npm start", or remove the setting.`,
  )
}
