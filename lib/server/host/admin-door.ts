/** AD-09: the IP allow-list of the dashboard and its API, checked before any page or endpoint. */
import { problem } from '#lib/admin/api/problem.ts'
import { addressMatcher } from '#lib/config/address-ranges.ts'
import type { Config } from '#lib/config/env.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { closedToAddressReply, type DoorVisitor } from '#lib/http/admin-door-page.ts'
import type { Reply } from '#lib/http/reply.ts'
import { problemReply } from '#lib/http/respond-problem.ts'
import { hasStampingHost } from '#lib/http/stamped-headers.ts'
import type { Event } from '#lib/ports/events.ts'

/** Whether the allow-list refuses `path` to `address`. */
export type AdminDoor = (path: string, address: string) => boolean

export function adminDoor({ adminAddresses }: Pick<Config, 'adminAddresses'>): AdminDoor {
  if (adminAddresses === null) return () => false
  const isListed = addressMatcher(adminAddresses)
  return (path, address) => isAdminPath(path) && !isListed(address)
}

function isAdminPath(path: string): boolean {
  return /^\/+(api\/+)?admin\b/i.test(plainly(path))
}

/** NOTE: whatever looks for a page may resolve and decode its path first: `/%61dmin`, `/x/%2e%2e/admin`. */
function plainly(path: string): string {
  return resolved(decodeURIComponent(resolved(path)))
}

function resolved(path: string): string {
  return new URL(`http://origin.invalid${path}`).pathname
}

/** The event does not contain the path, because the caller can choose it freely. */
export function closedDoorEvent(path: string): Event {
  const details = { endpoint: isApi(path) ? '/api/admin' : '/admin' }
  return { name: 'admin_refused', outcome: 'failure', reason: 'address_not_allowed', details }
}

/** In the format that the caller of the path expects. */
export function closedDoorReply(path: string, visitor: DoorVisitor): Reply {
  if (!isApi(path)) return closedToAddressReply(visitor)
  const detail = 'The admin API is not open to the address this came from.'
  return problemReply(problem('denied', { detail, referenceId: visitor.referenceId }))
}

function isApi(path: string): boolean {
  return /^\/+api\b/i.test(plainly(path))
}

/**
 * Only our own server knows who asks.
 * @throws ConfigError under another host, which would leave the door open
 */
export function requireDoor({ adminAddresses }: Pick<Config, 'adminAddresses'>): void {
  if (adminAddresses === null || hasStampingHost()) return
  throw new ConfigError(
    `LATCHKEY_ADMIN_ADDRESSES is "${adminAddresses.join(',')}", but this host does not say who is asking; start Latchkey with "npm start", or remove it.`,
  )
}
